package emit_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hostile are pieces of text that have a meaning somewhere.
var hostile = []string{
	"`", "\"", "'", "\\", "*/", "/*", "//", "//go:build ignore", "//go:embed /etc/passwd", "//line x.go:1", "// +build ignore",
	"\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029", "\x00", "\x1b[31m", "\u202e", "\u2066", "\u200f", "\ufeff",
	"\xff", "\xc3", "${HOME}", "$(id)", "{{ .X }}", "%s", "%!", "panic(1)", "}", "func init() { panic(1) }", "package x",
	"import \"os\"", "\"\n+ os.Args[0]", "` + os.Args[0] + `", "Deprecated: x", "Output:", "#cgo", "日本語", "é", "👍", " ", "\t", "- ", "# ",
}

func hostileText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(hostile[r.IntN(len(hostile))])
		if r.IntN(2) == 0 {
			b.WriteString("word")
		}
	}

	return b.String()
}

// subject returns the project of a golden case whose texts are replaced.
func subject(t testing.TB, replace func(old string) string) *ir.Program {
	t.Helper()
	a, err := txtar.ParseFile("testdata/golden/tools.txtar")
	if err != nil {
		t.Fatal(err)
	}
	// The provider stays, for with another the program would be another one.
	model := func(old string) string { return "openai:" + replace(old) }
	p := load(t, a.Files)
	p.Agents = append(p.Agents, door(replace))
	for _, step := range emittest.AddFlow(p, 3, emittest.FlowOptions{}).Conversations() {
		step.Prompt.Value = replace(step.Prompt.Value)
		step.Call.Name.Value = model("")
	}
	for _, agent := range p.Agents {
		agent.Description.Value = replace(agent.Description.Value)
		agent.Prompt.Value = replace(agent.Prompt.Value)
		agent.Call.Name.Value = model(agent.Call.Name.Value)
	}
	for _, s := range p.Skills {
		s.Description.Value = replace(s.Description.Value)
		s.Body.Value = replace(s.Body.Value)
	}
	for _, tool := range p.Tools {
		tool.Description.Value = replace(tool.Description.Value)
		tool.Input.Properties[0].Schema.Description = replace("An argument.")
	}
	for _, m := range p.Models {
		m.Name.Value = model(m.Name.Value)
		m.BaseURL = replace(m.BaseURL)
	}

	return p
}

// door is a machine with a replaced key.
func door(replace func(string) string) *ir.Agent {
	open, shut := &ir.State{Name: textLiteral("open")}, &ir.State{Name: textLiteral("shut")}
	key := ir.FoldKey("k" + replace("")) // one that is folded already: another has a case more
	shut.Rows = []*ir.Row{{Key: textLiteral(key), To: ir.Ref{Text: open.Name, State: open}}}

	return &ir.Agent{Name: textLiteral("door"), File: emittest.AgentFile("door"), Description: textLiteral("A door."), Version: "1", Node: &ir.Machine{
		External: true, Initial: ir.Ref{Text: shut.Name, State: shut}, States: []*ir.State{shut, open},
	}}
}

// skeleton returns the tokens of Go text without what texts may change: comments, literals, and what stands between them.
func skeleton(t testing.TB, content []byte) []string {
	t.Helper()
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(content)), content, func(pos token.Position, msg string) { t.Errorf("%v: %s", pos, msg) }, 0)
	var list []string
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
		case tok == token.STRING && len(list) > 1 && list[len(list)-1] == "+" && list[len(list)-2] == "STRING":
			list = list[:len(list)-1]
		case tok == token.IDENT && !strings.Contains(literal, "DoorKey"):
			list = append(list, literal)
		default:
			list = append(list, tok.String())
		}
	}
}

// compareSkeletons emits a program with replaced texts, none of them empty, and compares everything that is no text with
// the plain one's.
func compareSkeletons(t testing.TB, replace func(string) string) {
	t.Helper()
	plain := plainSkeletons()
	for _, f := range emitted(t, subject(t, replace)) {
		if !utf8.Valid(f.Content) {
			t.Errorf("%s is not UTF-8", f.Name)
		}
		if got := skeleton(t, f.Content); !slices.Equal(got, plain[f.Name]) {
			t.Errorf("%s: a text has become code:\n%s", f.Name, f.Content)
		}
		for _, comment := range commentsOf(t, f) {
			checkComment(t, f.Name, comment)
		}
	}
}

// plainSkeletons are the skeletons of the program with harmless texts.
var plainSkeletons = sync.OnceValue(func() map[string][]string {
	t := &testing.T{}
	plain := map[string][]string{}
	for _, f := range emitted(t, subject(t, func(string) string { return "plain words." })) {
		plain[f.Name] = skeleton(t, f.Content)
	}

	return plain
})

// checkComment says what is wrong with a line of a comment.
func checkComment(t testing.TB, name, line string) {
	t.Helper()
	if strings.ContainsFunc(line, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
		t.Errorf("%s: a comment holds what cannot be seen: %q", name, line)
	}
	isText := strings.HasPrefix(line, "// ") && !strings.HasPrefix(line, "// +build") || line == "//"
	if !isText && line != "//go:noinline" {
		t.Errorf("%s: a comment that may mean something: %q", name, line)
	}
}

func commentsOf(t testing.TB, f emit.File) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, group := range file.Comments {
		for _, c := range group.List {
			all = append(all, c.Text)
		}
	}

	return all
}

// TestHostileTexts puts each hostile text, and mixtures of them, where a project has text: the emitted Go is the same but for
// texts and comments. FuzzTexts does so with any text, wherever a single file has one.
func TestHostileTexts(t *testing.T) {
	texts := append([]string{"first\n`second`\r\nthird */ func x() {}"}, hostile...)
	r := rand.New(rand.NewPCG(1, 4))
	for range 40 {
		texts = append(texts, hostileText(r))
	}
	for _, text := range texts {
		if strings.TrimSpace(text) != "" { // what is empty may be left out
			compareSkeletons(t, func(string) string { return text })
		}
	}
}

// TestTextsAreData compiles a program full of hostile texts and compares what it says about itself with its source.
func TestTextsAreData(t *testing.T) {
	t.Parallel()
	programs := 12
	if testing.Short() {
		programs = 3
	}
	packages := map[string][]emit.File{}
	var want []string
	var imports, lines strings.Builder
	for i := range programs {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		p := subject(t, func(string) string { return strings.ToValidUTF8(hostileText(r), "\uFFFD") })
		files, err := emit.Files(p, emit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pkg := fmt.Sprintf("p%d", i)
		packages[pkg] = files
		fmt.Fprintf(&imports, "\t%s \"emitted/%s\"\n", pkg, pkg)
		fmt.Fprintf(&lines, "\ttell(%s.New(nil).Program())\n", pkg)
		for _, a := range p.Agents {
			want = append(want, a.Description.Value)
		}
		for _, tool := range p.Tools {
			want = append(want, tool.Description.Value)
		}
		for _, m := range p.Models {
			want = append(want, m.Name.Value, m.BaseURL)
		}
	}
	w := newWorkspace(t)
	w.addAll(packages)
	w.write("main.go", `package main

import (
	"encoding/json"
	"os"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
`+imports.String()+`)

var texts []string

func tell(p *compiled.Program) {
	for _, a := range p.Agents {
		texts = append(texts, a.Description)
	}
	for _, tool := range p.Tools {
		texts = append(texts, tool.Description)
	}
	for _, m := range p.Models {
		texts = append(texts, m.Name, m.BaseURL)
	}
}

func main() {
`+lines.String()+`	json.NewEncoder(os.Stdout).Encode(texts)
}
`)
	w.run("vet", "./...")
	w.run("test", "-vet=off", "./all")
	var got []string
	if err := json.Unmarshal([]byte(w.run("run", ".")), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		for i := range want {
			if i >= len(got) || want[i] != got[i] {
				t.Fatalf("text %d: want %q, got %q", i, want[i], got[min(i, len(got)-1)])
			}
		}
	}
	if !slices.ContainsFunc(want, func(s string) bool { return strings.Contains(s, "`") }) {
		t.Error("no text was hostile")
	}
}
