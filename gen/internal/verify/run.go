package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// compareRun compares, in the function that runs the machine of an agent, the initial state, the
// agent of each state, and the keys that an agent may finish with there. The agent of a terminal
// runs after the loop.
func (m *machine) compareRun(function string) {
	want := []row{{does: "state := " + m.stateConstant(m.ir.Initial.State)}}
	var last []row
	for _, s := range m.ir.States {
		if s.Agent == nil {
			continue
		}
		run := "a." + names.Run(s.Agent.Name.Value) + "(fx, m.Value()" + m.comparePlace(m.name, s.Name.Value, s.Place()) + ")"
		if s.IsTerminal() {
			last = append(last, row{guard: "state == " + m.stateConstant(s) + " && m.Enter(state.String())", does: "return m.FinishWith(" + run + ")"})
		} else {
			want = append(want, row{state: m.stateConstant(s), does: "output, err = " + run})
		}
	}
	m.compareRows(function, append(want, last...), m.readRun(function, "state := ", "return m.FinishWith("))
}

// readRun reads the rows of the states of a function, and its other statements with these prefixes.
func (m *machine) readRun(function string, prefixes ...string) []row {
	return ir.Where(m.readRows(row{}, m.functionBody(function)), func(one row) bool {
		return one.state != "" || slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(one.does, prefix) })
	})
}

// compareExecution compares, in the methods that run the machine of a workflow, the initial state
// and the steps of each state.
func (m *machine) compareExecution(execute, perform string) {
	first := m.stateConstant(m.ir.Initial.State)
	begins := m.readRun(execute, "state := ")
	start := row{does: "state := " + first}
	if chosen := (row{does: "state := m.Begin(" + first + ")"}); slices.Contains(begins, chosen) {
		start = chosen // the initial context may name another state
	}
	m.compareRows(execute, []row{start}, begins)

	var steps []row
	for _, s := range m.ir.States {
		if !s.End && len(s.Body.Steps()) > 0 {
			steps = append(steps, row{state: m.stateConstant(s), does: "return r." + names.Pipeline(s.Body) + "(input)"})
		}
	}
	if steps == nil {
		m.requireAbsent(perform)
		return
	}
	m.compareRows(perform, append(steps, row{does: "return input, nil"}), m.readRows(row{}, m.functionBody(perform)))
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
