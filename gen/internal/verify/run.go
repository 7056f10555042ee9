package verify

import (
	"go/ast"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run compares where the machine begins, which agent runs in which state, and which keys it may finish with there. The agent of a
// terminal runs behind the loop.
func (m *machine) run() {
	name := names.Run(m.name)
	var want, last []row
	for _, s := range m.ir.States {
		if s.Agent == nil {
			continue
		}
		call := "(a." + names.Run(s.Agent.Name.Value) + "(fx, walk.Value()" + m.place(place{m.name, s.Name.Value, s.Place()}) + "))"
		if s.Terminal() {
			last = append(last, row{guard: "state == " + m.state(s) + " && walk.Enter(state.String())", does: "return walk.Last" + call})
		} else {
			want = append(want, row{state: m.state(s), does: "walk.Did" + call})
		}
	}
	body := m.function("App." + name)
	m.equal(name+", the initial state", "state := "+m.state(m.ir.Initial.State), m.assigned("state", body))
	var got []row
	for _, stmt := range body {
		if _, isIf := stmt.(*ast.IfStmt); isIf {
			got = append(got, m.rows(row{}, []ast.Stmt{stmt})...)
		}
	}
	m.sameRows(name, append(want, last...), append(m.overState(body), got...))
}
