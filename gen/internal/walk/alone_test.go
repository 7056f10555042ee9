package walk_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/walk"
)

// TestAlone: plan-execute finishes with exhausted only where that has a row. The row for every other key is taken if the machine
// around has such a row, and never when the machine runs by itself.
func TestAlone(t *testing.T) {
	plan := &ir.Run{Var: "plan", Step: &ir.Step{Node: &ir.Oneshot{}}}
	flow := &ir.Agent{Name: text("flow"), Node: &ir.Flow{Kind: "plan-execute", Steps: []*ir.Step{plan.Step}, Body: []ir.Op{
		plan,
		&ir.If{Cond: ir.SaysDone{Var: "plan"}, Then: []ir.Op{&ir.Return{Key: ir.KeyDone, Var: "plan"}}},
		&ir.Return{Key: ir.KeyUnfinished, Var: "plan", Limit: 1, Feedback: "plan"},
	}}}
	state := func(a *ir.Agent, keys ...string) *ir.State {
		s := &ir.State{Name: a.Name, Agent: a}
		for _, key := range keys {
			s.Rows = append(s.Rows, &ir.Row{Key: text(key), End: true})
		}
		return s
	}
	machine := func(name string, s *ir.State) *ir.Agent {
		return &ir.Agent{Name: text(name), Node: &ir.Machine{
			Initial: ir.Ref{Text: s.Name, State: s}, States: []*ir.State{s}, MaxSteps: 9,
		}}
	}
	inner := machine("inner", state(flow, "done", ir.CatchAll))
	outer := machine("outer", state(inner, "done", "exhausted"))
	p := &ir.Program{Agents: []*ir.Agent{flow, inner, outer}}

	found, whole := walk.Alone(p, []*ir.Agent{inner, outer})
	if !whole || len(found) != 2 {
		t.Fatalf("%d machines, whole: %v", len(found), whole)
	}
	for i, want := range [][]bool{{true, false}, {true, true}} {
		for j, row := range found[i].Rows {
			if row.Taken != want[j] || row.Taken == (row.Why.Text != "") {
				t.Errorf("%s, %q: taken %v, because %q", found[i].Agent.Name.Value, row.Key(), row.Taken, row.Why.Text)
			}
		}
	}
	if why := found[0].Rows[1].Why; !strings.Contains(why.Text, `only with keys that have a row: "done"`) {
		t.Errorf("why is %q", why.Text)
	}
}

// TestAloneInDepth looks at each of ten thousand machines in each other as one that runs by itself.
func TestAloneInDepth(t *testing.T) {
	const n = 10_000
	p := nested(n)
	found, whole := walk.Alone(p, p.Agents[1:])
	if !whole || len(found) != n {
		t.Fatalf("%d machines, whole: %v", len(found), whole)
	}
	for _, m := range found {
		if states, _ := m.Count(); states != 1 {
			t.Fatalf("%s: %d states", m.Agent.Name.Value, states)
		}
	}
}

// TestAloneInManyPlaces: what cannot be looked at as a whole is not told in part.
func TestAloneInManyPlaces(t *testing.T) {
	p, top := doubling(24)
	if found, whole := walk.Alone(p, top); whole || found != nil {
		t.Errorf("%d machines, whole: %v", len(found), whole)
	}
}
