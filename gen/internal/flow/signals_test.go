package flow_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestOutcomesOfSignals: a key that a signal fires comes out of a machine where the agent's own would, by the rule that counts there
// for the signal.
func TestOutcomesOfSignals(t *testing.T) {
	declared := named("declared", &ir.React{Keys: []ir.Text{{Value: "good"}}})
	inside := &ir.State{Name: ir.Text{Value: "inside"}, Agent: declared, Rows: []*ir.Row{row("good", works), row("abort", works)}}
	leaves := &ir.State{Name: ir.Text{Value: "leaves"}, Agent: declared, Rows: []*ir.Row{row("good", works), row("*", nil)}}
	out := &ir.State{Name: ir.Text{Value: "out"}}
	always := &ir.State{Name: ir.Text{Value: "always"}, Agent: declared, Always: &ir.Ref{State: out}}
	rule := func(on, fire string, priority int, in ...*ir.State) *ir.SignalRule {
		r := &ir.SignalRule{On: ir.Text{Value: on}, Do: ir.AnswerFire, Fire: ir.Text{Value: fire}, Priority: priority}
		for _, s := range in {
			r.In = append(r.In, ir.Ref{State: s})
		}

		return r
	}
	stop := rule("alert", "", 2, always)
	stop.Do = ir.AnswerGracefulStop
	for _, c := range []struct {
		name  string
		rules []*ir.SignalRule
		want  []string
	}{
		{"none", nil, []string{"good"}},
		{"all states", []*ir.SignalRule{rule("alert", "abort", 0)}, []string{"abort", "good"}},
		{"a state inside", []*ir.SignalRule{rule("alert", "abort", 0, inside)}, []string{"good"}},
		{"a state that leaves", []*ir.SignalRule{rule("alert", "abort", 0, leaves)}, []string{"abort", "good"}},
		{"a row takes it", []*ir.SignalRule{rule("alert", "good", 0, leaves)}, []string{"good"}},
		{"a rule that counts more", []*ir.SignalRule{rule("alert", "abort", 0, always), stop}, []string{"good"}},
		{"two signals", []*ir.SignalRule{rule("x", "one", 0, leaves), rule("y", "two", 0, always)}, []string{"good", "one", "two"}},
	} {
		machine := named("machine", &ir.Machine{
			States: []*ir.State{inside, leaves, always, out}, Live: ir.Live{Signals: c.rules},
		})
		p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{declared, works.Agent, machine}}, flow.Guess{})
		got := p.Outcomes(machine).Keys()
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: comes out with %q, want %q", c.name, got, c.want)
		}
		if own := p.Outcomes(declared).Keys(); !slices.Equal(own, []string{"good"}) {
			t.Errorf("%s: the agent comes out with %q", c.name, own)
		}
	}
}
