package verify_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// kinds are the kinds of damages.
var kinds = []string{
	"case removed", "cases swapped", "bodies swapped", "exchanged", "text", "end", "statement removed", "guard removed",
	"guarded rows swapped", "spec removed", "specs swapped", "item removed", "items swapped", "agent", "place",
}

// damage is one wrong edit of an emitted file.
type damage struct {
	what       string
	start, end int
	with       string
}

// in returns a file with the damage.
func (d damage) in(f emit.File) *emit.File {
	f.Content = bytes.Join([][]byte{f.Content[:d.start], f.Content[d.end:]}, []byte(d.with))

	return &f
}

// mostDamages bounds the damages of one file.
const mostDamages = 300

// damager finds the places to damage in one file.
type damager struct {
	set   *token.FileSet
	file  emit.File
	agent string
	// exchanged are names that may be written where others of their kind are.
	exchanged map[string][]string
	// work says that the agent is a workflow.
	work  bool
	rand  *rand.Rand
	found []damage
}

// damages returns the damages of the tables in the file of an agent.
func damages(t *testing.T, a *ir.Agent, f emit.File) []damage {
	t.Helper()
	d := &damager{
		set: token.NewFileSet(), file: f, agent: a.Name.Value, exchanged: map[string][]string{}, rand: rand.New(rand.NewPCG(1, 1)),
	}
	tree, err := parser.ParseFile(d.set, f.Name, f.Content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	d.exchange("MatchExact", "MatchCatchAll", "MatchUnconditional", "MatchGuard")
	d.exchange("Success", "Failure", "Pause")
	switch n := a.Node.(type) {
	case *ir.Flow:
		if n.IsWorkflow() {
			d.work = true
			ir.WalkPipelines(n.Body, func(p *ir.Pipeline) {
				for _, task := range p.Tasks {
					if m, isMachine := task.Do.(*ir.Machine); isMachine {
						d.workMachine(tree, p, task, m)
					}
				}
			})
		}
	default:
		if m := a.MachineOf(); m != nil {
			d.machine(tree, m)
		}
	}
	d.rand.Shuffle(len(d.found), func(i, j int) { d.found[i], d.found[j] = d.found[j], d.found[i] })

	return d.found[:min(mostDamages, len(d.found))]
}

// exchange says that names may be written for each other.
func (d *damager) exchange(list ...string) {
	for _, name := range list {
		d.exchanged[name] = list
	}
}

func (d *damager) machine(tree *ast.File, m *ir.Machine) {
	var states, keys []string
	for _, s := range m.States {
		states = append(states, names.State(d.agent, s.Name.Value))
	}
	for _, key := range names.Keys(m) {
		keys = append(keys, names.Key(d.agent, key.Value))
	}
	d.exchange(states...)
	d.exchange(keys...)
	typ := names.StateType(d.agent)
	d.tables(tree, d.agent, func(receiver, name string) bool {
		of := slices.ContainsFunc([]string{"Next", "Terminal"}, func(table string) bool {
			return strings.HasPrefix(strings.ToLower(name), strings.ToLower(table))
		})
		return receiver == typ && of || name == names.Run(d.agent)
	})
}

func (d *damager) workMachine(tree *ast.File, p *ir.Pipeline, task *ir.Task, m *ir.Machine) {
	key := names.Machine(d.agent, p, task.Name.Value)
	var states []string
	for _, s := range m.States {
		states = append(states, names.State(key, s.Name.Value))
	}
	d.exchange(states...)
	typ := names.StateType(key)
	d.tables(tree, key, func(receiver, name string) bool {
		return receiver == typ && name == "Terminal" ||
			slices.ContainsFunc([]names.Verb{names.Execute, names.Perform, names.Next}, func(verb names.Verb) bool {
				return name == names.Work(verb, p, task.Name.Value)
			})
	})
}

// tables damages the constants and tables of the machine with this base of identifiers, the places, and the bodies of some
// functions.
func (d *damager) tables(tree *ast.File, machine string, wanted func(receiver, name string) bool) {
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			d.general(decl, machine)
		case *ast.FuncDecl:
			if !wanted(receiverOf(decl), decl.Name.Name) {
				continue
			}
			ast.Inspect(decl.Body, d.node)
		}
	}
}

// receiverOf is the type of a method's receiver; "" for a function.
func receiverOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	typ := decl.Recv.List[0].Type
	if star, isPointer := typ.(*ast.StarExpr); isPointer {
		typ = star.X
	}

	return typ.(*ast.Ident).Name
}

func (d *damager) add(what string, from, to token.Pos, with string) {
	file := d.set.File(from)
	d.found = append(d.found, damage{what, file.Offset(from), file.Offset(to), with})
}

func (d *damager) text(n ast.Node) string { return d.between(n.Pos(), n.End()) }

func (d *damager) between(from, to token.Pos) string {
	file := d.set.File(from)

	return string(d.file.Content[file.Offset(from):file.Offset(to)])
}

// general damages the texts of keys, the order of states, and the places.
func (d *damager) general(decl *ast.GenDecl, machine string) {
	typ := names.StateType(machine)
	for i, spec := range decl.Specs {
		value, isValue := spec.(*ast.ValueSpec)
		if !isValue {
			continue
		}
		ofStates := decl.Tok == token.CONST && d.exchanged[value.Names[0].Name] != nil
		switch {
		case ofStates && len(value.Values) == 0:
			d.add("spec removed", value.Pos(), value.End(), "")
			if i > 1 {
				d.swap("specs swapped", decl.Specs[i-1], "\n", value)
			}
		case decl.Tok == token.CONST && value.Type != nil && d.text(value.Type) != typ && ofStates:
			d.add("text", value.Values[0].Pos(), value.End(), `"altered"`)
		case decl.Tok == token.VAR && len(value.Values) == 1:
			switch v := value.Values[0].(type) {
			case *ast.CallExpr:
				if strings.HasPrefix(d.text(v), "rt.") {
					d.place(v)
				}
			case *ast.CompositeLit:
				if name := value.Names[0].Name; isTable(machine, name) {
					ast.Inspect(v, d.node)
				}
			}
		}
	}
}

// isTable reports whether a variable has a table of a machine.
func isTable(machine, name string) bool {
	return name == names.StateNames(machine) || name == names.KeyLists(machine) || name == names.Rows(machine)
}

// place damages the arguments of a place, and its kind.
func (d *damager) place(call *ast.CallExpr) {
	method := call.Fun.(*ast.SelectorExpr).Sel
	for i, arg := range call.Args {
		d.add("place", arg.Pos(), arg.End(), `"altered"`)
		if i > 1 {
			d.add("place", call.Args[i-1].End(), arg.End(), "")
		}
	}
	d.add("place", method.Pos(), method.End(), map[string]string{"Closed": "Open", "Open": "Closed", "Or": "And"}[method.Name])
}

// node damages what is at one node of a table.
func (d *damager) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		d.cases(n)
	case *ast.CaseClause:
		d.rows(n.Body)
	case *ast.Ident:
		d.others(n)
	case *ast.BasicLit:
		if n.Kind == token.STRING && n.Value != `""` { // which is returned where there is no case
			d.add("text", n.Pos(), n.End(), `"altered"`)
		}
	case *ast.ReturnStmt:
		d.result(n)
	case *ast.CompositeLit:
		if n.Type != nil && d.text(n.Type) == "rt.Judge" {
			return false // what guards are asked with is no table: runs show it
		}
		if n.Type != nil && strings.HasPrefix(d.text(n.Type), "rt.GateTable[") {
			d.initial(n)

			return false
		}
		d.items(n.Elts)
	case *ast.IfStmt:
		d.guard(n)
		ast.Inspect(n.Body, d.node)

		return false
	case *ast.ExprStmt:
		return !d.isRefusal(n)
	case *ast.CallExpr:
		return d.call(n)
	}

	return true
}

// isRefusal reports whether a statement says of a guard that it did not hold, which is not a table:
// runs show it.
func (d *damager) isRefusal(stmt ast.Stmt) bool {
	call, isCall := stmt.(*ast.ExprStmt)

	return isCall && strings.HasPrefix(d.text(call), "r.RecordFalse(")
}

// others replaces a name by up to 3 others of its kind.
func (d *damager) others(id *ast.Ident) {
	all := d.exchanged[id.Name]
	tried := 0
	for _, i := range d.rand.Perm(len(all)) {
		if all[i] != id.Name && tried < 3 {
			tried++
			d.add("exchanged", id.Pos(), id.End(), all[i])
		}
	}
}

// cases removes each case of a switch, and swaps each with the next.
func (d *damager) cases(sw *ast.SwitchStmt) {
	list := sw.Body.List
	for i, c := range list {
		clause := c.(*ast.CaseClause)
		d.add("case removed", c.Pos(), c.End(), "")
		if i+1 == len(list) {
			continue
		}
		next := list[i+1].(*ast.CaseClause)
		d.swap("cases swapped", c, "\n", next)
		if clause.List != nil && next.List != nil && !d.alike(d.rowsOf(clause), d.rowsOf(next)) {
			d.add("bodies swapped", clause.Pos(), next.End(), d.head(clause)+d.body(next)+"\n"+d.head(next)+d.body(clause))
		}
	}
}

func (d *damager) head(c *ast.CaseClause) string { return d.between(c.Pos(), c.Colon+1) + "\n" }

func (d *damager) body(c *ast.CaseClause) string { return d.between(c.Colon+1, c.End()) }

// rowsOf is the body of a case without what an error says of its guards.
func (d *damager) rowsOf(c *ast.CaseClause) string {
	var text strings.Builder
	for _, stmt := range c.Body {
		if !d.isRefusal(stmt) {
			text.WriteString(d.text(stmt) + "\n")
		}
	}

	return text.String()
}

// rows removes the rows of a case, and swaps those with guards.
func (d *damager) rows(body []ast.Stmt) {
	body = slices.DeleteFunc(slices.Clone(body), d.isRefusal)
	for i, stmt := range body {
		d.add("statement removed", stmt.Pos(), stmt.End(), "")
		if _, isIf := stmt.(*ast.IfStmt); isIf && i > 0 {
			d.swap("guarded rows swapped", body[i-1], "\n", stmt)
		}
	}
}

// guard takes the guard of a row away, and asks another one.
func (d *damager) guard(row *ast.IfStmt) {
	if row.Init != nil || len(row.Body.List) != 1 || d.text(row.Cond) == "!ok" { // which is no row
		return
	}
	if _, isReturn := row.Body.List[0].(*ast.ReturnStmt); !isReturn {
		return
	}
	d.add("guard removed", row.Pos(), row.End(), d.text(row.Body.List[0]))
	call, isCall := row.Cond.(*ast.CallExpr)
	if !isCall {
		return
	}
	switch method := call.Fun.(*ast.SelectorExpr).Sel; method.Name {
	case "Ask", "AskNot":
		d.add("text", call.Args[0].Pos(), call.Args[0].End(), `"altered"`)
		d.add("exchanged", method.Pos(), method.End(), map[string]string{"Ask": "AskNot", "AskNot": "Ask"}[method.Name])
	case "Allows":
		if strings.HasPrefix(d.text(call.Args[0]), "&g.Judge") {
			d.add("text", call.Args[1].Pos(), call.Args[1].End(), `"altered"`)
		}
	}
}

// result damages where a row leads.
func (d *damager) result(ret *ast.ReturnStmt) {
	if len(ret.Results) != 2 {
		return
	}
	to, ok := ret.Results[0], ret.Results[1]
	switch d.text(ok) {
	case "true", "g.AllowsElse()", "g.AllowsCatchAll()":
		d.add("end", ok.Pos(), ok.End(), "false")
	default:
		return
	}
	if d.text(to) != "0" {
		d.add("end", to.Pos(), to.End(), "0")
		return
	}
	for _, state := range d.exchanged {
		if strings.HasPrefix(state[0], names.StateType(d.agent)) {
			d.add("end", to.Pos(), to.End(), state[0])
			return
		}
	}
}

// items removes each item of a list, and swaps each with the next.
func (d *damager) items(list []ast.Expr) {
	for i, item := range list {
		if i > 0 {
			d.add("item removed", list[i-1].End(), item.End(), "")
			if _, hasKey := item.(*ast.KeyValueExpr); !hasKey {
				d.swap("items swapped", list[i-1], ", ", item)
			}
		}
	}
}

// initial damages the state in which a gate begins. What else a gate is made of is no table.
func (d *damager) initial(gate *ast.CompositeLit) {
	for _, field := range gate.Elts {
		if field := field.(*ast.KeyValueExpr); d.text(field.Key) == "Initial" {
			ast.Inspect(field.Value, d.node)
		}
	}
}

// call changes which agent runs in a state, and where. It reports whether the arguments are part of
// a table.
func (d *damager) call(call *ast.CallExpr) bool {
	if d.text(call.Fun) == "append" {
		d.items(call.Args)

		return true
	}
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector || d.text(selector.X) != "a" || !strings.HasPrefix(selector.Sel.Name, "Run") {
		return isSelector && !slices.Contains([]string{"Machine", "Listen", "NewMachine"}, selector.Sel.Name)
	}
	d.add("agent", selector.Sel.Pos(), selector.Sel.End(), "RunAnother")
	if len(call.Args) == 2 {
		d.add("place", call.Rparen, call.Rparen, ", at...")

		return false
	}
	at := call.Args[2]
	if inner, isCall := at.(*ast.CallExpr); isCall {
		d.place(inner)
	}
	d.add("place", at.Pos(), call.Rparen, "rt.Place{}")
	d.add("place", call.Args[1].End(), call.Rparen, "")

	return false
}

// swap swaps two neighbours that differ.
func (d *damager) swap(what string, first ast.Node, between string, second ast.Node) {
	if a, b := d.text(first), d.text(second); !d.alike(a, b) {
		d.add(what, first.Pos(), second.End(), b+between+a)
	}
}

// alike reports whether two texts are the same to verify: of guards in workflows it compares only
// that there is one.
func (d *damager) alike(a, b string) bool {
	if d.work {
		a, b = guard.ReplaceAllString(a, "if {"), guard.ReplaceAllString(b, "if {")
	}

	return a == b
}

var guard = regexp.MustCompile(`(?s)(\t*//[^\n]*\n\s*)?if .*? {\n`)
