package statemachine_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// holdsTogether checks what later stages rely on.
func holdsTogether(t *testing.T, a *ir.Agent, list *diag.List) {
	t.Helper()
	w := a.Node.(*ir.Flow)
	if a.Name.Value == "" || a.File == nil || w.Body == nil {
		t.Errorf("workflow %q has no name, no file or no steps", a.Name.Value)
	}
	if w.Partial && !list.HasErrors() && !dangles(w) {
		t.Errorf("workflow %q was read in part, and nothing was said", a.Name.Value)
	}
	outputs := map[*ir.Output]bool{}
	for _, o := range w.Outputs {
		outputs[o] = true
	}
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		isNamed := task.Name.Value != "" && task.Part == 0
		if task.Output == nil || isNamed && !outputs[task.Output] {
			t.Errorf("the output of step %q is kept nowhere", task.Name.Value)
		}
		if task.Do == nil && !w.Partial {
			t.Errorf("step %q does nothing, and nothing was said", task.Name.Value)
		}
		if m, ok := task.Do.(*ir.Machine); ok {
			machineHoldsTogether(t, m, list)
		}
	})
	for _, agent := range w.Conversations {
		if agent.File == nil || agent.Node == nil || agent.Call.Role.Value == "" {
			t.Errorf("agent %q has no file, no node or no role", agent.Name.Value)
		}
	}
}

// dangles reports whether a machine of a workflow names a state that does not exist, which package check reports.
func dangles(w *ir.Flow) bool {
	found := false
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		m, isMachine := task.Do.(*ir.Machine)
		found = found || isMachine && machineDangles(m)
	})

	return found
}

func machineDangles(m *ir.Machine) bool {
	return m.Initial.State == nil || slices.ContainsFunc(m.Rows(), rowDangles)
}

func rowDangles(r *ir.Row) bool { return r.To.State == nil || r.From.State == nil && !r.IsFromAny() }

func machineHoldsTogether(t *testing.T, m *ir.Machine, list *diag.List) {
	t.Helper()
	if m.Partial && !list.HasErrors() && !machineDangles(m) {
		t.Error("a machine was read in part, and nothing was said")
	}
	known := map[*ir.State]bool{nil: true}
	for _, s := range m.States {
		known[s] = true
		if s.Body == nil || !s.Name.Span.IsValid() {
			t.Errorf("state %q has no steps or stands nowhere", s.Name.Value)
		}
	}
	for _, r := range m.Rows() {
		if !known[r.From.State] || !known[r.To.State] || !slices.Contains(ir.Events, r.Key.Value) {
			t.Errorf("row %q leads out of its machine, or has no event", r.To.Value)
		}
		if !m.Partial && rowDangles(r) {
			t.Errorf("row to %q leads nowhere, and nothing was said", r.To.Value)
		}
	}
	for _, s := range m.States {
		for _, next := range s.Next {
			if !known[next.State] || !next.Span.IsValid() {
				t.Errorf("next state %q stands nowhere", next.Value)
			}
		}
	}
}
