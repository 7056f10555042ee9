package emit

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// everywhere returns a file with a text wherever emission puts texts: the header, comments of their
// own and behind code, and literals.
func everywhere(s string) *draft {
	return &draft{name: "x_gen.go", source: s, fill: func(f *jen.File) {
		f.Add(newComment(s))
		f.Const().Id("asText").Op("=").Add(textLiteral(s))
		f.Line()
		f.Add(newComment(joinSentence("asCode is", s)))
		f.Const().Id("asCode").Op("=").Add(codeLiteral(s))
		f.Line()
		f.Const().Defs(
			jen.Id("asLiteral").Op("=").Lit(s).Add(trailingComment(s)),
			jen.Id("listed").Op("=").Len(jen.Index(jen.Op("...")).String().Values(wrapItems(quoteTexts([]string{s, s})))))
	}}
}

// FuzzTexts puts any text wherever a file has texts and compiles the file: it has the declarations
// that it should have, its literals are the text, and its comments are nothing but comments.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{
		"", "plain words", "several\nlines\n", "a `quoted` word\nand more", "*/ func x() {}", "/*", "//go:embed /etc/passwd", "//line x.go:1",
		"\n//go:build ignore", "+build ignore", "#cgo", "//export x", "\r", "\r\n", "\v\f", "\u0085\u2028\u2029", "\x00\x1b[31m",
		"\u202e\u2066\u200f\ufeff", "\xff\xc3", "\"\n+ os.Args[0]", "` + os.Args[0] + `", "%s%!", "日本語 é 👍", "x\n\ny", "IDs and URLs: a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) { compile(t, s) })
}

// TestLongTexts compiles texts of the lengths from which they are written otherwise.
func TestLongTexts(t *testing.T) {
	compile(t, strings.Repeat("\"long\" ", rawFrom))
	compile(t, strings.Repeat("`\n", maxQuoted+1))
}

func compile(t *testing.T, s string) {
	t.Helper()
	file, err := everywhere(s).renderFile("x")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file.Name, file.Content, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("x", set, []*ast.File{tree}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, file.Content)
	}
	if names := pkg.Scope().Names(); !slices.Equal(names, []string{"asCode", "asLiteral", "asText", "listed"}) || len(tree.Decls) != 3 {
		t.Errorf("a text has become code: %q\n%s", names, file.Content)
	}
	for _, name := range []string{"asCode", "asLiteral", "asText"} {
		value := pkg.Scope().Lookup(name).(*types.Const).Val()
		if got := constant.StringVal(value); got != s {
			t.Errorf("%s is %q, want %q", name, got, s)
		}
	}
	if value := pkg.Scope().Lookup("listed").(*types.Const).Val(); value.String() != "2" {
		t.Errorf("two texts are a list of %s", value)
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			onlyComment(t, c.Text)
		}
	}
	if _, ok := ParseHeader(file.Content); !ok {
		t.Errorf("the header is none:\n%s", file.Content)
	}
}

// onlyComment says what is wrong with a line of a comment.
func onlyComment(t *testing.T, line string) {
	t.Helper()
	if strings.ContainsFunc(line, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
		t.Errorf("a comment holds what cannot be seen: %q", line)
	}
	if !strings.HasPrefix(line, "// ") && line != "//" || strings.HasPrefix(line, "// +build") {
		t.Errorf("a comment that may mean something: %q", line)
	}
}

// TestSentence puts a description behind a sentence, and ends it.
func TestSentence(t *testing.T) {
	for description, want := range map[string]string{
		"":                             "RunX runs x.",
		" Settles questions of money.": "RunX runs x. Settles questions of money.",
		"A desk":                       "RunX runs x. A desk.",
		"settles!":                     "RunX runs x. settles!",
		"日本語":                          "RunX runs x. 日本語.",
	} {
		if got := joinSentence("RunX runs x", description); got != want {
			t.Errorf("%q: got %q, want %q", description, got, want)
		}
	}
}
