package verify

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run compares where the machine begins, which agent runs in which state, and which keys it may finish with there.
func (m *machine) run() {
	name := names.RunAt(m.name)
	body := m.function("App." + name)
	m.equal(name+", the initial state", names.State(m.name, m.ir.Initial.State.Name.Value), first("state", body))
	runs := slices.DeleteFunc(slices.Clone(m.ir.States), func(s *ir.State) bool { return s.Agent == nil })
	clauses, _ := switches("state", body)
	for i := range max(len(runs), len(clauses)) {
		switch {
		case m.err != nil:
			return
		case i >= len(clauses):
			m.fail(fmt.Sprintf("%s, state %q", name, runs[i].Name.Value), "a case", "none")
		case i >= len(runs):
			m.fail(name, "no more cases", m.text(clauses[i]))
		default:
			m.runAgent(runs[i], clauses[i])
		}
	}
}

// first is the identifier that the first definition of a variable gives it; "" without one.
func first(variable string, body []ast.Stmt) string {
	for _, stmt := range body {
		define, isAssign := stmt.(*ast.AssignStmt)
		if isAssign && ident(define.Lhs[0]) == variable {
			return ident(define.Rhs[0])
		}
	}

	return ""
}

// runAgent compares the case that runs the agent of a state: as the last one if it ends the machine.
func (m *machine) runAgent(s *ir.State, c *ast.CaseClause) {
	where := fmt.Sprintf("%s, state %q", names.RunAt(m.name), s.Name.Value)
	if len(c.List) != 1 || m.state(where, c.List[0]) != s {
		m.fail(where, "its case", m.text(c))
		return
	}
	call := callOf(names.RunAt(s.Agent.Name.Value), c)
	if call == nil || len(call.Args) != 3 {
		m.fail(where, "a run of "+s.Agent.Name.Value, m.text(c))
		return
	}
	after := "Did"
	if s.Terminal() {
		after = "Last"
	}
	if callOf(after, c) == nil {
		m.fail(where, "walk."+after, m.text(c))
	}
	m.place(where, place{m.name, s.Name.Value, s.Place()}, call.Args[2])
}
