package verify

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run compares, in the function that runs the machine, where it begins, which agent or steps run in which state, and which keys an agent
// may finish with there. The agent of a terminal runs behind the loop.
func (m *machine) run(function string) {
	var want, last []row
	passesOn := false
	for _, s := range m.ir.States {
		body := m.body(s)
		switch {
		case body != "" && s.Terminal():
			last = append(last, row{guard: "state == " + m.state(s) + " && m.Enter(state.String())", does: "return m.Last(" + body + ")"})
		case body != "":
			want = append(want, row{state: m.state(s), does: "output, err = " + body})
		default:
			passesOn = passesOn || s.Body != nil && !s.End
		}
	}
	if passesOn && len(want) > 0 {
		want = append(want, row{does: "output = m.Input()"})
	}
	body := m.function(function)
	start := strings.TrimPrefix(m.assigned("state", body), "state := ")
	if chosen, named := strings.CutPrefix(start, "m.Begin("); named { // unless the initial context names another one
		start = strings.TrimSuffix(chosen, ")")
	}
	m.equal(function+", the initial state", m.state(m.ir.Initial.State), start)
	var got []row
	for _, stmt := range body {
		if _, isIf := stmt.(*ast.IfStmt); isIf {
			got = append(got, m.rows(row{}, []ast.Stmt{stmt})...)
		}
	}
	m.sameRows(function, append(want, last...), append(m.overState(body), got...))
}

// body is the call that runs the agent or the steps of a state; "" for none.
func (m *machine) body(s *ir.State) string {
	switch {
	case s.Agent != nil:
		return "a." + names.Run(s.Agent.Name.Value) + "(fx, m.Value()" + m.place(m.name, s.Name.Value, s.Place()) + ")"
	case !s.End && len(s.Body.Steps()) > 0:
		return "r." + names.Pipeline(s.Body) + "(m.Input())"
	}

	return ""
}

// flow compares the allowed keys of the steps of a flow.
func (r *reader) flow(f *ir.Flow) {
	ir.Walk(f.Body, func(op ir.Op) {
		if run, isRun := op.(*ir.Run); isRun && (run.At.Kind == ir.PlaceClosed || run.At.Kind == ir.PlaceOpen) {
			r.place(r.agent, run.At.State, run.At)
		}
	})
}

// place is what is handed to a run at a place of a machine or a flow. A variable that it is in is compared.
func (r *reader) place(agent, state string, rule ir.Place) string {
	texts := fmt.Sprintf("%q, %q", agent, state)
	for _, key := range rule.Keys {
		texts += fmt.Sprintf(", %q", key)
	}
	kind := "Closed"
	switch rule.Kind {
	case ir.PlaceFree:
		return ""
	case ir.PlaceOuter:
		return ", at..."
	case ir.PlaceOr:
		return ", rt.Closed(" + texts + ").Or(at...)"
	case ir.PlaceOpen:
		kind = "Open"
	}
	name := names.Place(agent, state)
	r.equal(name, "rt."+kind+"("+texts+")", r.text(r.values[name]))

	return ", " + name
}
