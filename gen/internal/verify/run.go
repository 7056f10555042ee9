package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// compareRun compares, in the function that runs the machine, the initial state, the agent or steps
// of each state, and the keys that an agent may finish with there. The agent of a terminal runs
// after the loop.
func (m *machine) compareRun(function string) {
	rows := m.readRows(row{}, m.functionBody(function))
	first := m.stateConstant(m.ir.Initial.State)
	want := []row{{does: "state := " + first}}
	if chosen := (row{does: "state := m.Begin(" + first + ")"}); slices.Contains(rows, chosen) {
		want[0] = chosen // the initial context may name another state
	}
	var last []row
	passesOn := false
	for _, s := range m.ir.States {
		body := m.expectedBody(s)
		switch {
		case body != "" && s.IsTerminal():
			last = append(last, row{guard: "state == " + m.stateConstant(s) + " && m.Enter(state.String())", does: "return m.FinishWith(" + body + ")"})
		case body != "":
			want = append(want, row{state: m.stateConstant(s), does: "output, err = " + body})
		default:
			passesOn = passesOn || s.Body != nil && !s.End
		}
	}
	if passesOn && len(want) > 1 {
		want = append(want, row{does: "output = m.Input()"})
	}
	prefixes := []string{"state := ", "output = ", "return m.FinishWith("}
	got := ir.Where(rows, func(one row) bool {
		return one.state != "" || slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(one.does, prefix) })
	})
	m.compareRows(function, append(want, last...), got)
}

// expectedBody returns the call that runs the agent or the steps of a state, or "".
func (m *machine) expectedBody(s *ir.State) string {
	switch {
	case s.Agent != nil:
		return "a." + names.Run(s.Agent.Name.Value) + "(fx, m.Value()" + m.comparePlace(m.name, s.Name.Value, s.Place()) + ")"
	case !s.End && len(s.Body.Steps()) > 0:
		return "r." + names.Pipeline(s.Body) + "(m.Input())"
	}

	return ""
}

// compareFlow compares the allowed keys of the steps of a flow.
func (r *reader) compareFlow(f *ir.Flow) {
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		if run, isRun := op.(*ir.Run); isRun && (run.At.Kind == ir.PlaceClosed || run.At.Kind == ir.PlaceOpen) {
			r.comparePlace(r.agent, run.At.State, run.At)
		}
	})
}

// comparePlace returns the argument for a run at a place of a machine or a flow. If the place is a
// variable, it compares the variable.
func (r *reader) comparePlace(agent, state string, rule ir.Place) string {
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
	r.compareRows(name, []row{{does: "rt." + kind + "(" + texts + ")"}}, []row{{does: r.sourceText(r.values[name])}})

	return ", " + name
}
