package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// run compares, in the function that runs the machine, where it begins, which agent or steps run in
// which state, and which keys an agent may finish with there. The agent of a terminal runs behind
// the loop.
func (m *machine) run(function string) {
	rows := m.rows(row{}, m.function(function))
	first := m.state(m.ir.Initial.State)
	want := []row{{does: "state := " + first}}
	if chosen := (row{does: "state := m.Begin(" + first + ")"}); slices.Contains(rows, chosen) {
		want[0] = chosen // unless the initial context names another one
	}
	var last []row
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
	if passesOn && len(want) > 1 {
		want = append(want, row{does: "output = m.Input()"})
	}
	kept := []string{"state := ", "output = ", "return m.Last("}
	got := ir.Where(rows, func(one row) bool {
		return one.state != "" || slices.ContainsFunc(kept, func(begin string) bool { return strings.HasPrefix(one.does, begin) })
	})
	m.same(function, append(want, last...), got)
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
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		if run, isRun := op.(*ir.Run); isRun && (run.At.Kind == ir.PlaceClosed || run.At.Kind == ir.PlaceOpen) {
			r.place(r.agent, run.At.State, run.At)
		}
	})
}

// place is what is handed to a run at a place of a machine or a flow. A variable that it is in is
// compared.
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
	r.same(name, []row{{does: "rt." + kind + "(" + texts + ")"}}, []row{{does: r.text(r.values[name])}})

	return ", " + name
}
