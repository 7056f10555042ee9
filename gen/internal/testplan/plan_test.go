package testplan_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/testplan"
)

// machine returns a random machine whose agents may finish with every key.
func machine(states int, o emittest.Options) (*ir.Program, *ir.Agent) {
	p := &ir.Program{Package: "agents"}
	o.States = states
	a := emittest.Machine(p, uint64(states), o)
	for _, inner := range p.Agents {
		if _, isOneshot := inner.Node.(*ir.Oneshot); isOneshot {
			inner.Node = &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}
		}
	}

	return p, a
}

func rows(states []*ir.State) int {
	n := 0
	for _, s := range states {
		n += len(s.Rows)
		if s.Always != nil {
			n++
		}
	}

	return n
}

// TestLargeMachines are cut, so that every state but the first is a target of one before it.
func TestLargeMachines(t *testing.T) {
	for _, states := range []int{20, 200, 2000} {
		for _, driven := range []bool{false, true} {
			p, a := machine(states, emittest.Options{Agents: !driven})
			m, plan := a.Node.(*ir.Machine), testplan.Of(p)[a]
			if plan.Runs == driven {
				t.Errorf("%d states, driven: %v: Runs is %v", states, driven, plan.Runs)
			}
			if large := rows(m.States) > testplan.MaxRows; plan.Cut != large {
				t.Errorf("%d states: Cut is %v", states, plan.Cut)
			}
			if !plan.Cut {
				if !slices.Equal(plan.States, m.States) {
					t.Errorf("%d states: the plan has %d", states, len(plan.States))
				}
				continue
			}
			if n := rows(plan.States); n > testplan.MaxRows || n < testplan.MaxRows*9/10 {
				t.Errorf("%d states: the plan has %d rows", states, n)
			}
			come(t, m, plan)
		}
	}
}

// come says which states nothing before them leads to.
func come(t *testing.T, m *ir.Machine, plan *testplan.Plan) {
	t.Helper()
	leads := map[*ir.State]bool{m.Initial.State: true}
	for _, s := range plan.States {
		if !leads[s] {
			t.Errorf("nothing leads to %s", s.Name.Value)
		}
		if s.Always != nil {
			leads[s.Always.State] = true
		}
		for _, row := range s.Rows {
			leads[row.To.State] = true
		}
	}
}

func text(s string) ir.Text { return ir.Text{Value: s} }

// planOf returns the plan of a machine in a program with the agents of its states.
func planOf(m *ir.Machine) *testplan.Plan {
	a := &ir.Agent{Name: text("machine"), Node: m}
	p := &ir.Program{Agents: []*ir.Agent{a}}
	for _, ref := range a.Contained() {
		p.Agents = append(p.Agents, ref.Agent)
	}

	return testplan.Of(p)[a]
}

// TestPartly: a row whose key its agent never finishes with, and a machine all of whose rows are taken.
func TestPartly(t *testing.T) {
	done := &ir.State{Name: text("done")}
	draft := &ir.State{Name: text("draft"), Agent: &ir.Agent{Name: text("draft"), Node: &ir.Oneshot{}}}
	row := func(key string) *ir.Row { return &ir.Row{Key: text(key), To: ir.Ref{Text: done.Name, State: done}} }
	m := &ir.Machine{Initial: ir.Ref{Text: draft.Name, State: draft}, States: []*ir.State{draft, done}, MaxSteps: 5}
	for keys, want := range map[*ir.Row]bool{row("again"): true, nil: false} {
		draft.Rows = []*ir.Row{row("done")}
		if keys != nil {
			draft.Rows = append(draft.Rows, keys)
		}
		if plan := planOf(m); plan.Partly != want || !plan.Runs {
			t.Errorf("%d rows: the plan is %+v", len(draft.Rows), plan)
		}
	}
}

// TestValues: of a verdict that a schema bounds, each text; of everything else one value, and none where none is found.
func TestValues(t *testing.T) {
	agent := func(name string, node ir.Node) *ir.State {
		return &ir.State{Name: text(name), Agent: &ir.Agent{Name: text(name), Node: node}}
	}
	verdict := &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"done"`, `"again"`}}
	impossible := 20_000
	states := []*ir.State{
		agent("verdict", &ir.Oneshot{Output: verdict}),
		agent("chooser", &ir.React{MaxIter: 1, Output: verdict}),
		agent("items", &ir.Oneshot{Output: verdict, List: &ir.ListRule{Kind: ir.ListItems}}),
		agent("claims", &ir.Oneshot{Output: verdict, List: &ir.ListRule{Kind: ir.ListClaims}}),
		agent("writer", &ir.Oneshot{}),
		agent("count", &ir.Oneshot{Output: &ir.Schema{Kind: ir.SchemaInteger, Minimum: "7"}}),
		agent("essay", &ir.Oneshot{Output: &ir.Schema{Kind: ir.SchemaString, MinLength: &impossible}}),
	}
	plan := planOf(&ir.Machine{
		Initial: ir.Ref{Text: states[0].Name, State: states[0]}, States: states, MaxSteps: 50,
	})
	want := map[string][]string{
		"verdict": {`"done"`, `"again"`}, "chooser": {`"done"`}, "items": {`["an item"]`}, "count": {"7"},
	}
	if len(plan.Values) != len(want) {
		t.Errorf("values %q", plan.Values)
	}
	for name, values := range want {
		if !slices.Equal(plan.Values[name], values) {
			t.Errorf("%s: values %q, want %q", name, plan.Values[name], values)
		}
	}
}
