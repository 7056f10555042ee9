package verify

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// How the row without a guard is returned in a state that has guards: after others of its key, and for every key.
const (
	elseOf     = "g.Else()"
	catchAllOf = "g.CatchAll()"
)

// isGuarded reports whether a row of a state has a guard.
func isGuarded(s *ir.State) bool {
	for _, row := range s.Rows {
		if row.When != nil {
			return true
		}
	}

	return false
}

// tried returns the rows of a state with guards in the order in which they are tried: those of each key, in the order in which
// the keys come first, then those for every key. Behind a row without a guard none is tried.
func (m *machine) tried(s *ir.State) []row {
	var rows, rest []row
	known := map[string]bool{}
	for _, first := range s.Rows {
		key := first.Key.Value
		if known[key] {
			continue
		}
		known[key] = true
		for i, r := range s.Try(key) {
			one := row{key: key, to: targetOf(r), ok: "true"}
			switch {
			case r.When != nil:
				one.guard = m.askText(r.When)
			case key == anyKey:
				one.ok = catchAllOf
			case i > 0:
				one.ok = elseOf
			}
			if key == anyKey {
				rest = append(rest, one)
			} else {
				rows = append(rows, one)
			}
			if r.When == nil {
				break
			}
		}
	}

	return append(rows, rest...)
}

// askText is how a guard is asked.
func (m *machine) askText(guard *ir.Guard) string {
	switch {
	case guard.Func == nil:
		s, root := &scope{machine: m}, guard.Formula.Root
		function, asked := "Holds", s.condition(root).text
		if ir.ReadsData(root) {
			function, asked = "Decides", s.truth(root)
		}
		return "workflow." + function + "(&g.Judge, " + strconv.Quote(guard.Text.Value) + ", " + asked + s.operands(root) + ")"
	case guard.Not:
		return "g.AskNot(" + strconv.Quote(guard.Func.Name.Value) + ")"
	}

	return "g.Ask(" + strconv.Quote(guard.Func.Name.Value) + ")"
}

// guardedRows reads the case of a state with guards: a switch over the key, and the rows for every key behind it.
func (m *machine) guardedRows(s *ir.State, body []ast.Stmt) []row {
	where := fmt.Sprintf("Next, state %q", s.Name.Value)
	var rows []row
	if len(body) > 0 {
		if _, isSwitch := body[0].(*ast.SwitchStmt); isSwitch {
			for _, c := range m.clauses(where, "key", body[0]) {
				if len(c.List) != 1 {
					m.fail(where, "one key in a case", m.text(c))
					return nil
				}
				rows = append(rows, m.tries(where, m.key(where, c.List[0]), c.Body)...)
			}
			body = body[1:]
		}
	}

	return append(rows, m.tries(where, anyKey, body)...)
}

// tries reads rows of a key.
func (m *machine) tries(where, key string, body []ast.Stmt) []row {
	var rows []row
	for i, stmt := range body {
		one := row{key: key}
		here := fmt.Sprintf("%s, key %q, row %d", where, key, i+1)
		if guarded, isIf := stmt.(*ast.IfStmt); isIf && guarded.Init == nil && guarded.Else == nil && len(guarded.Body.List) == 1 {
			one.guard = m.text(guarded.Cond)
			stmt = guarded.Body.List[0]
		}
		if results := m.results(here, 2, stmt); m.err == nil {
			one.to, one.ok = m.targetText(here, results[0]), m.text(results[1])
		}
		rows = append(rows, one)
	}

	return rows
}

// read is what the names in the guards of a machine are in Go.
func (m *machine) read(x *ir.Access) term {
	text := func(text string) term { return term{text: text, kind: ir.SchemaString} }
	switch bare := len(x.Path) == 0; {
	case x.Root == ir.RootVisits && len(x.Path) == 1 && m.stateNamed(x.Path[0].Name.Value):
		return term{text: m.visits(x.Path[0].Name.Value), kind: ir.SchemaInteger}
	case bare && x.Root == ir.RootKey:
		return text("string(key)")
	case bare && x.Root == ir.RootValue:
		return text("g.Value")
	case bare && x.Root == ir.RootInput:
		return text("g.Input")
	}

	return dynamic((&scope{machine: m}).path(x))
}

// readRoot is where an access begins that leads to a value.
func (m *machine) readRoot(x *ir.Access) string {
	switch x.Root {
	case ir.RootData:
		return "g.Data"
	case ir.RootStep:
		return "g.Steps." + names.StepField(x.Output.Name.Value)
	case ir.RootSteps:
		var members []string
		for _, o := range m.ir.Outputs {
			members = append(members, member(o.Name.Value, "g.Steps."+names.StepField(o.Name.Value)))
		}
		return present(members)
	case ir.RootVisits:
		var members []string
		for _, s := range m.ir.States {
			members = append(members, member(s.Name.Value, "workflow.Int("+m.visits(s.Name.Value)+")"))
		}
		return present(members)
	}

	return m.read(&ir.Access{Root: x.Root}).value()
}

func present(members []string) string { return "workflow.Present(" + strings.Join(members, ", ") + ")" }

func (m *machine) visits(state string) string { return "g.Visits[" + names.State(m.name, state) + "]" }

func (m *machine) stateNamed(name string) bool { return m.states[names.State(m.name, name)] != nil }
