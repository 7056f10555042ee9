package expr_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"go.starlark.net/syntax"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// seed adds the texts of the cases whose field is one of the names.
func seed(f *testing.F, names ...string) {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no cases")
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		root, _ := yamldoc.Parse(source.NewFile("texts.yaml", a.Files[1].Data))
		for _, name := range names {
			if list := root.Value(name); list != nil {
				for _, n := range list.Items {
					f.Add(n.Text)
				}
			}
		}
	}
}

// fuzzScope is a place with something of each kind.
const fuzzScope = `
context: {type: object, properties: {a: {type: string}, n: {type: integer, minimum: 1},
  l: {type: array, items: {type: string}}, o: {type: object, properties: {x: {enum: [p, q]}}, additionalProperties: {}}}, required: [a]}
steps: {draft: {ran: always, output: {type: object, properties: {text: {type: string}}, required: [text]}},
  set-next: {ran: sometimes}, late: {ran: never}}
guard: true
values: {input: }
`

// fuzzGuard is a guard of a machine of agents.
const fuzzGuard = `
machine: {data: {type: object, properties: {n: {type: integer}, s: {type: string}}}, visits: [draft, set-next]}
steps: {draft: {ran: sometimes}, set-next: {ran: always, output: {type: object, properties: {text: {type: string}}}}, late: {ran: never}}
`

// FuzzFormula: whatever the text, and in a workflow as in a machine, there is an expression of Starlark whose every node is in the text, or
// an error in our words.
func FuzzFormula(f *testing.F) {
	seed(f, "formula", "key")
	scopes := []*expr.Scope{
		scopeOf(f, parseYAML(f, "scope.yaml", []byte(fuzzScope))),
		scopeOf(f, parseYAML(f, "guard.yaml", []byte(fuzzGuard))),
	}
	f.Fuzz(func(t *testing.T, content string) {
		text := asFile(content)
		for _, scope := range scopes {
			formula, found := expr.ParseFormula(text, scope, expr.Condition)
			checkFound(t, content, formula != nil, found)
			if formula != nil {
				checkNodes(t, content, []ir.Expression{formula.Root})
				_, err := new(syntax.FileOptions).ParseExpr("", "("+member.ReplaceAllString(content, ".x")+"\n)", 0)
				isChain := err != nil && strings.Contains(err.Error(), "does not associate") // as in Python
				if err != nil && !isChain && !strings.Contains(content, "\x00") {            // which ends a file of Starlark
					t.Fatalf("%q is no expression of Starlark: %v", content, err)
				}
			}
		}
	})
}

// FuzzTemplate: whatever the text, there is a template or an error in our words. Text without braces is itself.
func FuzzTemplate(f *testing.F) {
	seed(f, "template", "datum")
	scope := scopeOf(f, parseYAML(f, "scope.yaml", []byte(fuzzScope)))
	f.Fuzz(func(t *testing.T, content string) {
		template, found := expr.ParseTemplate(asFile(content), scope)
		checkFound(t, content, template != nil, found)
		if template == nil {
			return
		}
		checkNodes(t, content, valuesOf(template.Parts))
		constant, ok := template.Constant()
		if !strings.Contains(content, "{{") && (!ok || constant != content) {
			t.Fatalf("%q is %q", content, constant)
		}
	})
}

// member is a name behind a dot, which may be a word of Starlark.
var member = regexp.MustCompile(`\.\s*[\pL_][\pL\pN_]*`)

// asFile is a text that is a file of its own.
func asFile(content string) ir.Text {
	file := source.NewFile("f", []byte(content))

	return ir.Text{Value: content, Span: source.Span{File: file, End: len(content)}}
}

// ofParser are words of the messages of the parser.
var ofParser = regexp.MustCompile(`got |want |does not associate|excessive|internal error|%!|literal`)

func checkFound(t *testing.T, content string, read bool, found []*diag.Diagnostic) {
	t.Helper()
	list := &diag.List{}
	list.Add(found...)
	if read == list.HasErrors() {
		t.Fatalf("%q is read: %t, with %d findings", content, read, len(found))
	}
	for _, d := range found {
		if d.Span.Start < 0 || d.Span.Start > d.Span.End || d.Span.End > len(content) || d.Span.File == nil {
			t.Fatalf("%q: %s at %d-%d", content, d.Message, d.Span.Start, d.Span.End)
		}
		leaks := ofParser.MatchString(d.Message) && !ofParser.MatchString(content)
		if leaks || utf8.ValidString(content) && !utf8.ValidString(d.Message) {
			t.Fatalf("%q: message %q", content, d.Message)
		}
		for _, fix := range d.Fixes {
			for _, e := range fix.Edits {
				if e.Span.Start < 0 || e.Span.Start > e.Span.End || e.Span.End > len(content) {
					t.Fatalf("%q: an edit at %d-%d", content, e.Span.Start, e.Span.End)
				}
			}
		}
	}
}

func checkNodes(t *testing.T, content string, nodes []ir.Expression) {
	t.Helper()
	for _, x := range nodes {
		walk(x, func(x ir.Expression) {
			if at := x.At(); at.Start >= at.End || at.End > len(content) {
				t.Fatalf("%q: %s at %d-%d", content, dump(x), at.Start, at.End)
			}
		})
	}
}
