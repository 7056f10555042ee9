package verify_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/agentmd"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/emit/emittest"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// programs returns the golden programs of package emit, one with all patterns, and random ones: machines, flows and workflows;
// one is large enough to be cut into pieces, one has so many lists of keys that rowKey asks Next.
func programs(t *testing.T) map[string]*ir.Program {
	t.Helper()
	paths, err := filepath.Glob("../emit/testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden programs: %v", err)
	}
	all := map[string]*ir.Program{}
	for _, path := range append(paths, filepath.Join("testdata", "patterns.txtar")) {
		all[strings.TrimSuffix(filepath.Base(path), ".txtar")] = load(t, path)
	}

	for seed := range uint64(3) {
		p := &ir.Program{Package: "agents"}
		emittest.Machine(p, seed, emittest.Options{Name: "walker", States: 12, Agents: true})
		emittest.Machine(p, seed, emittest.Options{Name: "driven", States: 12})
		emittest.Sort(p)
		all[fmt.Sprintf("random-%d", seed)] = p
	}
	for seed := range uint64(6) {
		p := &ir.Program{Package: "agents"}
		emittest.Machine(p, seed, emittest.Options{Name: "walker", States: 3, Agents: true})
		emittest.Flow(p, seed, emittest.FlowOptions{Agents: p.Agents[:len(p.Agents):len(p.Agents)]})
		emittest.Sort(p)
		all[fmt.Sprintf("flow-%d", seed)] = p
	}
	for seed := range uint64(5) {
		all[fmt.Sprintf("random-workflow-%d", seed)] = workflows(seed)
	}
	pieces := &ir.Program{Package: "agents"}
	emittest.Machine(pieces, 1, emittest.Options{Name: "large", States: 520})
	all["pieces"] = pieces
	lists := &ir.Program{Package: "agents"}
	emittest.Machine(lists, 1, emittest.Options{Name: "various", States: 250, Keys: append(emittest.Keys(20), "Key A", "KEY B")})
	all["lists"] = lists

	return all
}

func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	var list diag.List
	p, err := agentmd.Load(fsys, &list)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s", path, d.Message)
		}
	}

	return p
}

// damage is one wrong edit of an emitted file.
type damage struct {
	what       string
	start, end int
	with       string
}

// TestDamage edits every emitted program in every way that would make it another one, one edit at a time: all of them are
// caught, and the program without an edit is not.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("damages programs in thousands of ways; make test-slow does")
	}
	var all tally
	t.Run("programs", func(t *testing.T) {
		for name, p := range programs(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				all.add(damaged(t, p, sampled(name)))
			})
		}
	})
	fmt.Printf("damage: caught %d of %d %v\n", all.caught, all.tried, all.kinds)
	if all.caught != all.tried || all.tried <= 1000 {
		t.Errorf("caught %d of %d, which should be all of more than 1,000", all.caught, all.tried)
	}
	for _, what := range []string{"target", "removed", "key", "swapped", "body swapped", "initial", "marker runs", "agent taken",
		"place", "name", "value", "item removed", "item swapped", "head", "argument removed", "argument swapped", "statement removed",
		"statement swapped", "operator", "member removed", "member swapped", "spec removed", "spec swapped",
		"guarded row removed", "guard removed", "guarded rows swapped", "question"} {
		if all.kinds[what] == 0 {
			t.Errorf("no damage of kind %q was tried", what)
		}
	}
}

// sampled reports whether a program is too large for every damage of it.
func sampled(name string) bool {
	return name == "pieces" || name == "lists" || strings.HasPrefix(name, "random-workflow-")
}

// tally counts damages. It is safe for concurrent use.
type tally struct {
	mutex         sync.Mutex
	tried, caught int
	kinds         map[string]int
}

func (c *tally) add(kinds map[string]int, caught int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.kinds == nil {
		c.kinds = map[string]int{}
	}
	for what, n := range kinds {
		c.kinds[what] += n
		c.tried += n
	}
	c.caught += caught
}

// damaged damages the files of one program, and returns how many damages of which kind there were, and how many were caught.
func damaged(t *testing.T, p *ir.Program, sample bool) (kinds map[string]int, caught int) {
	t.Helper()
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Files(p, files); err != nil {
		t.Errorf("without damage: %v", err)
	}

	kinds = map[string]int{}
	for _, f := range files {
		a := agentOf(p, f.Name)
		for _, d := range damages(t, a, f, append(comparedIn(p, f), comparedOfServers(p, f)...), sample) {
			kinds[d.what]++
			if err := judge(p, a, d.in(f)); isMismatch(err, a, f.Name) {
				caught++
			} else {
				t.Errorf("%s: %s at %d (%q becomes %q) is not caught: %v",
					f.Name, d.what, d.start, f.Content[d.start:d.end], d.with, err)
			}
		}
	}

	return kinds, caught
}

// in returns a file with the damage.
func (d damage) in(f emit.File) *emit.File {
	f.Content = bytes.Join([][]byte{f.Content[:d.start], f.Content[d.end:]}, []byte(d.with))

	return &f
}

// judge compares the file of an agent, or, if a is nil, one that belongs to none: the others need no second look.
func judge(p *ir.Program, a *ir.Agent, f *emit.File) error {
	files := map[string]*emit.File{f.Name: f}
	switch {
	case a != nil:
		return verify.Agent(a, files)
	case f.Name == names.TestFile:
		return verify.Tests(p, files)
	case f.Name == names.ProvidersFile:
		return verify.Providers(p, files)
	case f.Name == names.RecordingsFile:
		return verify.Recorded(p, files)
	case f.Name == names.ServersFile:
		return verify.Servers(p, files)
	}

	return verify.Shared(p, files)
}

// isMismatch reports whether an error says that a file is not its source, and which: that of a, or one that belongs to none.
func isMismatch(err error, a *ir.Agent, file string) bool {
	var mismatch *verify.MismatchError
	switch {
	case !errors.As(err, &mismatch):
		return false
	case a != nil:
		return mismatch.Machine == a.Name.Value
	}

	ofAll := []string{names.SharedFile, names.ProvidersFile, names.RecordingsFile, names.ServersFile}

	return (mismatch.Machine == "all agents") == slices.Contains(ofAll, file)
}

func agentOf(p *ir.Program, file string) *ir.Agent {
	for _, a := range p.Agents {
		if names.File(a.Name.Value) == file {
			return a
		}
	}

	return nil
}

// damager finds the places to damage in one file.
type damager struct {
	set    *token.FileSet
	file   emit.File
	agent  *ir.Agent
	states []string // constants
	keys   []string
	// exchanged are names that may stand where others of their kind do.
	exchanged map[string][]string
	rand      *rand.Rand
	found     []damage
	sample    bool
}

// mostSampled bounds the damages of a file of a large program.
const mostSampled = 200

// damages returns the damages of a file: those of the machine of a, if it is one, and of the declarations that are compared.
func damages(t *testing.T, a *ir.Agent, f emit.File, compared []string, sample bool) []damage {
	t.Helper()
	d := &damager{set: token.NewFileSet(), file: f, agent: a, rand: rand.New(rand.NewPCG(1, 1)), sample: sample}
	tree, err := parser.ParseFile(d.set, f.Name, f.Content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	switch n := nodeOf(a).(type) {
	case *ir.Machine:
		d.machine(tree, n)
		name := a.Name.Value
		d.declarations(tree, []string{
			"App." + names.Info(name), names.LiveMachine(name), names.LiveMemory(name), names.LiveSpec(name),
			names.GuardsType(name), names.NewGuards(name), names.StepsType(name), "App.Begin", "App.keep",
		})
		d.guards(tree, n)
	case *ir.Workflow:
		d.workflow(tree, n)
	default:
		if react, isReact := n.(*ir.React); isReact && react.Gate != nil {
			d.gate(tree, react.Gate, compared)
			break
		}
		d.declarations(tree, compared)
	}
	if d.sample {
		d.rand.Shuffle(len(d.found), func(i, j int) { d.found[i], d.found[j] = d.found[j], d.found[i] })
		d.found = d.found[:min(mostSampled, len(d.found))]
	}

	return d.found
}

func nodeOf(a *ir.Agent) ir.Node {
	if a == nil {
		return nil
	}

	return a.Node
}

// machine damages whatever belongs to a machine.
func (d *damager) machine(tree *ast.File, m *ir.Machine) {
	for _, s := range m.States {
		d.states = append(d.states, names.State(d.agent.Name.Value, s.Name.Value))
	}
	for _, key := range names.Keys(m) {
		d.keys = append(d.keys, names.Key(d.agent.Name.Value, key.Value))
	}
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.function(decl)
		case *ast.GenDecl:
			d.general(decl)
		}
	}
}

func (d *damager) add(what string, from, to token.Pos, with string) {
	file := d.set.File(from)
	d.found = append(d.found, damage{what, file.Offset(from), file.Offset(to), with})
}

func (d *damager) text(n ast.Node) string {
	file := d.set.File(n.Pos())

	return string(d.file.Content[file.Offset(n.Pos()):file.Offset(n.End())])
}

// general damages the texts of keys, the order of states, and the places.
func (d *damager) general(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		value, isValue := spec.(*ast.ValueSpec)
		if !isValue {
			continue
		}
		switch {
		case len(value.Values) == 1 && decl.Tok == token.CONST && value.Type != nil:
			if lit, isLit := value.Values[0].(*ast.BasicLit); isLit {
				d.add("key", lit.Pos(), lit.End(), `"altered"`)
			}
		case len(value.Values) == 1 && decl.Tok == token.VAR:
			if call, isCall := value.Values[0].(*ast.CallExpr); isCall {
				d.call(call)
			}
		}
	}
}

// call damages the arguments of a place.
func (d *damager) call(call *ast.CallExpr) {
	for i, arg := range call.Args {
		d.add("place", arg.Pos(), arg.End(), `"altered"`)
		if i > 1 {
			d.add("place", call.Args[i-1].End(), arg.End(), "")
		}
	}
	if selector, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && selector.Sel.Name == "Closed" {
		d.add("place", selector.Sel.Pos(), selector.Sel.End(), "Open")
	}
}

func (d *damager) function(fn *ast.FuncDecl) {
	d.head(fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			d.cases(n)
		case *ast.CaseClause:
			d.clause(n)
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && d.text(n.Lhs[0]) == "state" && n.Tok == token.DEFINE {
				d.others("initial", n.Rhs[0], d.states)
			}
		}
		d.order(n)
		return true
	})
}

// head damages the names and types before the body of a function.
func (d *damager) head(fn *ast.FuncDecl) {
	for _, part := range []ast.Node{fn.Recv, fn.Name, fn.Type} {
		if list, isList := part.(*ast.FieldList); isList && list == nil {
			continue // a function has no receiver
		}
		ast.Inspect(part, func(n ast.Node) bool {
			if id, isIdent := n.(*ast.Ident); isIdent {
				d.add("head", id.Pos(), id.End(), "another")
			}
			return true
		})
	}
}

// others replaces an expression by each other name, or by 8 of them: by 2 where it is no target.
func (d *damager) others(what string, e ast.Expr, all []string) {
	most := 2
	if what == "target" || what == "initial" {
		most = 8
	}
	tried := 0
	for _, i := range d.rand.Perm(len(all)) {
		if all[i] != d.text(e) && tried < most {
			tried++
			d.add(what, e.Pos(), e.End(), all[i])
		}
	}
}

// cases removes each case of a switch, and swaps each with the next.
func (d *damager) cases(sw *ast.SwitchStmt) {
	list := sw.Body.List
	for i, c := range list {
		clause := c.(*ast.CaseClause)
		d.add("removed", c.Pos(), c.End(), "")
		if i+1 == len(list) {
			continue
		}
		next := list[i+1].(*ast.CaseClause)
		d.add("swapped", c.Pos(), next.End(), d.text(next)+"\n"+d.text(clause))
		if clause.List != nil && next.List != nil && len(clause.Body) > 0 && len(next.Body) > 0 &&
			d.text(clause.Body[0]) != d.text(next.Body[0]) {
			d.add("body swapped", clause.List[0].Pos(), next.Body[0].Pos(),
				d.list(next)+":\n"+d.body(clause)+"\ncase "+d.list(clause)+":\n")
		}
	}
	if m, isMachine := nodeOf(d.agent).(*ir.Machine); isMachine && len(list) > 0 && sw.Tag != nil && d.text(sw.Tag) == "state" {
		d.runs(m, list)
	}
}

func (d *damager) list(c *ast.CaseClause) string {
	file := d.set.File(c.Pos())

	return string(d.file.Content[file.Offset(c.List[0].Pos()):file.Offset(c.List[len(c.List)-1].End())])
}

func (d *damager) body(c *ast.CaseClause) string {
	file := d.set.File(c.Pos())

	return string(d.file.Content[file.Offset(c.Body[0].Pos()):file.Offset(c.Body[len(c.Body)-1].End())])
}

// runs gives a run to each marker, takes it from each agent, and changes who runs and where.
func (d *damager) runs(m *ir.Machine, list []ast.Stmt) {
	first := list[0].(*ast.CaseClause)
	for i, s := range m.States {
		if s.Agent == nil {
			d.add("marker runs", first.Pos(), first.Pos(), "case "+d.states[i]+":\n"+d.body(first)+"\n")
		}
	}
	for _, c := range list {
		clause := c.(*ast.CaseClause)
		d.add("agent taken", clause.Body[0].Pos(), clause.Body[0].End(), "")
		ast.Inspect(clause.Body[0], func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall || len(call.Args) != 3 {
				return true
			}
			selector := call.Fun.(*ast.SelectorExpr)
			d.add("agent taken", selector.Sel.Pos(), selector.Sel.End(), "runAnother")
			place := "runtime.Free"
			if d.text(call.Args[2]) == place {
				place = "at"
			}
			d.add("place", call.Args[2].Pos(), call.Args[2].End(), place)
			if inner, isCall := call.Args[2].(*ast.CallExpr); isCall {
				d.call(inner)
			}
			return true
		})
	}
}

// clause damages what a case matches and what it gives.
func (d *damager) clause(c *ast.CaseClause) {
	for _, e := range c.List {
		switch text := d.text(e); {
		case strings.HasPrefix(text, `"`):
			d.add("key", e.Pos(), e.End(), `"altered"`)
		case strings.HasPrefix(text, names.KeyType(d.agent.Name.Value)):
			d.others("key", e, d.keys)
		case strings.HasPrefix(text, names.StateType(d.agent.Name.Value)):
			d.others("state", e, d.states)
		}
	}
	for _, stmt := range c.Body {
		ret, isReturn := stmt.(*ast.ReturnStmt)
		if !isReturn {
			continue
		}
		for _, e := range ret.Results {
			d.result(e)
		}
	}
}

func (d *damager) result(e ast.Expr) {
	switch text := d.text(e); {
	case text == "0":
		d.others("target", e, d.states)
	case text == "true":
		d.add("target", e.Pos(), e.End(), "false")
	case strings.HasPrefix(text, `"`):
		d.add("text", e.Pos(), e.End(), `"altered"`)
	case strings.HasPrefix(text, names.StateType(d.agent.Name.Value)):
		d.others("target", e, d.states)
		d.add("target", e.Pos(), e.End(), "0")
	case strings.HasPrefix(text, names.KeyType(d.agent.Name.Value)) && !strings.Contains(text, "("):
		d.others("key", e, d.keys)
	}
	if list, isList := e.(*ast.CompositeLit); isList {
		for i, element := range list.Elts {
			d.others("key", element, d.keys)
			if i > 0 {
				d.swap("item swapped", list.Elts[i-1], ", ", element)
			}
		}
	}
}

// TestUnparsable shows the text with line numbers.
func TestUnparsable(t *testing.T) {
	p := programs(t)["critic"]
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		damaged := append([]emit.File(nil), files...)
		damaged[i].Content = append(bytes.Clone(files[i].Content), "func {\n"...)
		var broken *emit.BrokenError
		if err := verify.Files(p, damaged); !errors.As(err, &broken) || broken.Name != files[i].Name {
			t.Errorf("%s: %v", files[i].Name, err)
		}
		last := fmt.Sprintf("%5d  func {", bytes.Count(damaged[i].Content, []byte("\n")))
		if broken != nil && !strings.Contains(broken.Error(), last) {
			t.Errorf("%s: no line %q in the message", files[i].Name, last)
		}
	}
}

// TestMissingFile misses each file in turn.
func TestMissingFile(t *testing.T) {
	p := programs(t)["places"]
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		var mismatch *verify.MismatchError
		if err := verify.Files(p, append(files[:i:i], files[i+1:]...)); !errors.As(err, &mismatch) {
			t.Errorf("without %s: %v", f.Name, err)
		}
	}
}
