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

// TestRuns: a machine that others drive is not run.
func TestRuns(t *testing.T) {
	for _, driven := range []bool{false, true} {
		p, a := machine(20, emittest.Options{Agents: !driven})
		if plan := testplan.Of(p)[a]; plan.Runs == driven {
			t.Errorf("driven: %v: Runs is %v", driven, plan.Runs)
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
