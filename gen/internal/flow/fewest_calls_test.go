package flow_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestFewestCalls: each case is a pattern whose conversations take one call each, and the fewest calls of a run.
func TestFewestCalls(t *testing.T) {
	turn := ir.NewOutput("turn")
	run := func() *ir.Task { return &ir.Task{Do: &ir.Run{Step: &ir.Step{Node: &ir.Oneshot{}}}} }
	returns := func() *ir.Task { return &ir.Task{Do: &ir.Return{Key: ir.KeyDone}} }
	inTurn := func(n int, then ...*ir.Task) *ir.Task {
		return &ir.Task{Do: ir.NewCondition(ir.TurnTest{Turn: turn, N: n}.Expression(), then...)}
	}
	loop := func(turns int, body ...*ir.Task) *ir.Task {
		return &ir.Task{Do: &ir.Loop{Turn: turn, Max: turns, OnBound: ir.BoundDone, Body: ir.NewPipeline(body...)}}
	}
	branches := &ir.Parallel{Branches: []*ir.Arm{{Body: ir.NewPipeline(run())}, {Body: ir.NewPipeline(run(), run())}}}
	items := &ir.Loop{Over: &ir.ListOf{}, Body: ir.NewPipeline(run())}
	for _, c := range []struct {
		name  string
		tasks []*ir.Task
		want  int
	}{
		{"one task after the other", []*ir.Task{run(), run(), returns()}, 2},
		{"each turn of a loop", []*ir.Task{loop(1_000_000, run()), returns()}, 1_000_000},
		{"what only one turn does", []*ir.Task{loop(1_000_000, run(), inTurn(1, run()), inTurn(7, run())), returns()}, 1_000_002},
		{"a loop that returns in its last turn", []*ir.Task{loop(0, run(), inTurn(3, returns()), run())}, 5},
		{"a loop that returns early", []*ir.Task{loop(0, run(), inTurn(3, returns()), run(), inTurn(2, returns()))}, 4},
		{"all branches of a group", []*ir.Task{run(), {Do: branches}, returns()}, 4},
		{"a list that may be empty", []*ir.Task{run(), {Do: items}, returns()}, 1},
	} {
		a := named("pattern", &ir.Flow{Kind: "plan-execute", Body: ir.NewPipeline(c.tasks...)})
		p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{a}}, flow.Guess{})
		if got := p.Calls(a); got != c.want {
			t.Errorf("%s: %d calls, want %d", c.name, got, c.want)
		}
	}
}
