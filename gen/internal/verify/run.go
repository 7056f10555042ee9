package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run compares where the machine begins, which agent runs in which state, and which keys it may finish with there.
func (m *machine) run() {
	name := names.Run(m.name)
	body := m.function("App." + name)
	m.equal(name+", the initial state", names.State(m.name, m.ir.Initial.State.Name.Value), first("state", body))
	runs := slices.DeleteFunc(slices.Clone(m.ir.States), func(s *ir.State) bool { return s.Agent == nil || s.Terminal() })
	clauses, _ := switches("state", body)
	m.lastAgents(body)
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

// lastAgents compares which agent runs in which terminal: each behind a condition of its own.
func (m *machine) lastAgents(body []ast.Stmt) {
	var want, got []string
	for _, s := range m.ir.States {
		if s.Agent != nil && s.Terminal() {
			want = append(want, names.State(m.name, s.Name.Value))
		}
	}
	for _, stmt := range body {
		last, isIf := stmt.(*ast.IfStmt)
		if !isIf {
			continue
		}
		of, _ := last.Cond.(*ast.BinaryExpr)
		if of != nil && of.Op == token.LAND {
			of, _ = of.X.(*ast.BinaryExpr)
		}
		if of == nil || of.Op != token.EQL || ident(of.X) != "state" {
			m.fail(names.Run(m.name), "the condition of a terminal", m.text(last.Cond))
			return
		}
		got = append(got, ident(of.Y))
		if s := m.state(names.Run(m.name), of.Y); s != nil && s.Agent != nil {
			m.agentOf(s, last.Body, "Last")
		}
	}
	m.same(names.Run(m.name)+", the agents of terminals", want, got)
}

// runAgent compares the case that runs the agent of a state.
func (m *machine) runAgent(s *ir.State, c *ast.CaseClause) {
	if where := m.runsIn(s); len(c.List) != 1 || m.state(where, c.List[0]) != s {
		m.fail(where, "its case", m.text(c))
		return
	}
	m.agentOf(s, c, "Did")
}

func (m *machine) runsIn(s *ir.State) string {
	return fmt.Sprintf("%s, state %q", names.Run(m.name), s.Name.Value)
}

// agentOf compares the agent of a state, the keys it may finish with, and what is done with its result.
func (m *machine) agentOf(s *ir.State, in ast.Node, after string) {
	where := m.runsIn(s)
	call := callOf(names.Run(s.Agent.Name.Value), in)
	if call == nil || len(call.Args) < 2 {
		m.fail(where, "a run of "+s.Agent.Name.Value, m.text(in))
		return
	}
	if callOf(after, in) == nil {
		m.fail(where, "walk."+after, m.text(in))
	}
	m.place(where, place{m.name, s.Name.Value, s.Place()}, call)
}
