package verify_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestDamageFailsGeneratedTests damages machines of golden programs as [TestDamage] does, and runs
// the tests that are generated for them. What is another machine fails its test or does not
// compile: it would be noticed in the project of a user, though agentc had read nothing back.
func TestDamageFailsGeneratedTests(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs hundreds of damaged machines; make test-slow does")
	}
	all := programs(t)
	set := token.NewFileSet()
	checker := &types.Config{Importer: importer.ForCompiler(set, "source", nil), Error: func(error) {}}
	ofMachines := []string{"exchanged", "case removed", "text", "end", "bodies swapped", "item removed"}
	ofWorkflows := []string{"exchanged", "case removed", "item removed", "statement removed", "text"}
	for _, c := range []struct {
		program, machine string
		kinds            []string
	}{{"critic", "article", ofMachines}, {"places", "desk", ofMachines}, {"workflow-orchestrate", "orchestrate", ofWorkflows}} {
		t.Run(c.machine, func(t *testing.T) {
			p := all[c.program]
			w := newBreakage(t, p, p.AgentByName(c.machine), set, checker)
			w.damageAll()
			w.run(c.kinds)
		})
	}
}

// mostCopies bounds, within one of each kind, the damages of a machine that are run.
const mostCopies = 80

// unseen are the kinds of damages that a run of the machine alone need not notice, and why.
var unseen = map[string]string{
	"cases swapped":        "cases may be in another order",
	"specs swapped":        "so may constants",
	"guarded rows swapped": "in a workflow guards need not hold",
	"place":                "the agent has no choice there, or the place is only named in errors, or counts only within another machine",
	"guard removed":        "the agent of a terminal runs after an end elsewhere too, which is no step of the machine",
	"statement removed":    "no key comes to Reject that the place keeps out",
}

// breakage is a package with very many copies of one machine, each with another damage, and a test
// for each.
type breakage struct {
	t      *testing.T
	agent  *ir.Agent
	file   emit.File
	test   []byte
	others []emit.File
	// trees are the other files and the test, parsed.
	trees   []*ast.File
	checker *types.Config
	set     *token.FileSet
	damages []damage
	broken  int
	dir     string
}

func newBreakage(t *testing.T, p *ir.Program, a *ir.Agent, set *token.FileSet, checker *types.Config) *breakage {
	t.Helper()
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &breakage{t: t, agent: a, set: set, checker: checker, dir: t.TempDir()}
	for _, f := range files {
		switch f.Name {
		case names.File(a.Name.Value):
			w.file = f
		case names.TestFile:
			w.test = testOf(t, f, names.MachineTest(a.Name.Value))
		default:
			w.others = append(w.others, f)
			w.trees = append(w.trees, w.parse(f.Content))
		}
	}
	w.trees = append(w.trees, w.parse(append([]byte(testHead), w.test...)))

	return w
}

const testHead = `package agents

import (
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/machinetest"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

var (
	_ json.RawMessage
	_ runtime.Effects
	_ rt.Place
	_ workflow.Value
)

`

// parse returns the tree of a file; nil if it is no Go.
func (w *breakage) parse(content []byte) *ast.File {
	tree, err := parser.ParseFile(w.set, "", content, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}

	return tree
}

// testOf returns one test of a file.
func testOf(t *testing.T, f emit.File, name string) []byte {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, f.Name, f.Content, 0)
	if err != nil {
		t.Fatal(err)
	}
	var test []byte
	for _, decl := range tree.Decls {
		if fn, isFunc := decl.(*ast.FuncDecl); isFunc && fn.Name.Name == name {
			test = append(test, f.Content[set.Position(fn.Pos()).Offset:set.Position(fn.End()).Offset]...)
			test = append(test, "\n\n"...)
		}
	}
	if test == nil {
		t.Fatalf("no test %s", name)
	}

	return test
}

// damageAll writes a copy for each damage that compiles. Copy 0 has none.
func (w *breakage) damageAll() {
	w.t.Helper()
	for _, f := range append(w.others, w.file) {
		w.write(f.Name, f.Content)
	}
	var tests bytes.Buffer
	tests.WriteString(testHead)
	copied := func(content []byte) {
		number := len(w.damages)
		w.write(fmt.Sprintf("copy%d.go", number), w.numbered(content, number))
		tests.Write(w.numbered(w.test, number))
		tests.WriteString("\n\n")
	}

	copied(w.file.Content)
	for _, d := range w.behaviour() {
		content := d.in(w.file).Content
		if !w.compiles(content) {
			w.broken++
			continue
		}
		w.damages = append(w.damages, d)
		copied(content)
	}
	w.write("copies_test.go", tests.Bytes())
}

// behaviour returns damages that the test of the machine looks at, some of each kind.
func (w *breakage) behaviour() []damage {
	w.t.Helper()
	list := slices.DeleteFunc(damages(w.t, w.agent, w.file), func(d damage) bool { return !w.routes(d) })
	every := len(list)/mostCopies + 1
	var some []damage
	found := map[string]int{} // of each kind, so that no kind is left out
	for _, d := range list {
		if found[d.what]%every == 0 {
			some = append(some, d)
		}
		found[d.what]++
	}

	return some
}

// routes reports whether a damage is one of where a machine goes, which is what its test looks at:
// not what agents and steps do, nor rows with guards, which need not hold, nor in which order the
// fields of an error are.
func (w *breakage) routes(d damage) bool {
	routes := false
	ast.Inspect(w.parse(w.file.Content), func(n ast.Node) bool {
		if n == nil || d.start < w.set.Position(n.Pos()).Offset || d.end > w.set.Position(n.End()).Offset {
			return false
		}
		switch n := n.(type) {
		case *ast.ValueSpec:
			name := n.Names[0].Name
			routes = isTable(w.agent.Name.Value, name)
		case *ast.FuncDecl:
			routes = w.isRouting(n)
		case *ast.IfStmt:
			routes = false // a guard
		case *ast.CaseClause:
			isGuard := func(stmt ast.Stmt) bool { _, isIf := stmt.(*ast.IfStmt); return isIf }
			routes = routes && !slices.ContainsFunc(n.Body, isGuard) // else any of its rows is right
		case *ast.SelectorExpr:
			routes = routes && !strings.HasPrefix(n.Sel.Name, "Match") // which says how a row was found
		case *ast.CompositeLit:
			removed := w.file.Content[d.start:d.end]
			routes = routes && !bytes.HasPrefix(removed, []byte(", FromAny")) // which says that, too
		}
		return true
	})

	return routes
}

// isRouting reports whether a function is one of the machine that its test calls.
func (w *breakage) isRouting(fn *ast.FuncDecl) bool {
	machine, name := w.agent.Name.Value, fn.Name.Name

	return receiverOf(fn) == names.StateType(machine) || name == names.ParseState(machine)
}

// compiles reports whether the package compiles with the machine's file as it is given.
func (w *breakage) compiles(content []byte) bool {
	tree := w.parse(content)
	if tree == nil {
		return false
	}
	_, err := w.checker.Check("agents", w.set, append(w.trees[:len(w.trees):len(w.trees)], tree), nil)

	return err == nil
}

// numbered puts a number behind the machine's name in all identifiers of a file.
func (w *breakage) numbered(content []byte, number int) []byte {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(content))
	s.Init(file, content, nil, scanner.ScanComments)
	exported, unexported := names.Exported(w.agent.Name.Value), names.Unexported(w.agent.Name.Value)
	own := regexp.MustCompile(`^(Parse|Run|run|New|new|info|Test|parse|decode|check|read|encode)?(` + exported + `)(.*)$|^()(` + unexported + `)([A-Z].*)$`)

	var out bytes.Buffer
	end := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.IDENT || !own.MatchString(literal) {
			continue
		}
		at := file.Offset(pos)
		out.Write(content[end:at])
		out.WriteString(own.ReplaceAllString(literal, "${1}${4}${2}${5}"+strconv.Itoa(number)+"${3}${6}"))
		end = at + len(literal)
	}
	out.Write(content[end:])

	return out.Bytes()
}

func (w *breakage) write(name string, content []byte) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), content, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// run runs all tests and judges which of them have to fail: at least one with a damage of each
// kind.
func (w *breakage) run(kinds []string) {
	w.t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		w.t.Fatal(err)
	}
	w.write("go.mod", []byte("module agents\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n"))
	cmd := exec.Command("go", "test", "-vet=off", "-v", ".")
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	out, _ := cmd.CombinedOutput() // which fails, as the tests do
	passed := map[int]bool{}
	ran := 0
	for _, line := range regexp.MustCompile(`(?m)^--- (PASS|FAIL): Test\D+(\d+)Machine `).FindAllSubmatch(out, -1) {
		number, err := strconv.Atoi(string(line[2]))
		if err != nil {
			w.t.Fatal(err)
		}
		passed[number] = string(line[1]) == "PASS"
		ran++
	}
	if ran != len(w.damages)+1 || !passed[0] {
		w.t.Fatalf("%d of %d tests ran, the one without a damage passed: %v\n%s", ran, len(w.damages)+1, passed[0], out[:min(len(out), 4000)])
	}

	failed := map[string]int{}
	for i, d := range w.damages {
		switch {
		case !passed[i+1]:
			failed[d.what]++
		case unseen[d.what] == "":
			w.t.Errorf("%s: %q becomes %q, and the test passes", d.what, w.file.Content[d.start:d.end], d.with)
		}
	}
	for _, what := range kinds {
		if failed[what] == 0 {
			w.t.Errorf("no damage of kind %q fails a test", what)
		}
	}
	w.t.Logf("%d damages do not compile, of %d others fail their tests: %v", w.broken, len(w.damages), failed)
}
