package flow_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

var (
	quality = &ir.GuardFunc{Name: ir.Text{Value: "quality"}}
	other   = &ir.GuardFunc{Name: ir.Text{Value: "other"}}
)

// when returns a row with a named guard.
func when(f *ir.GuardFunc, not bool, r *ir.Row) *ir.Row {
	r.When = &ir.Guard{Func: f, Not: not}
	return r
}

func TestOfGuarded(t *testing.T) {
	cases := []struct {
		name string
		rows []*ir.Row
		want ir.PlaceKind
	}{
		{"a key with guards alone is legal", []*ir.Row{when(quality, false, row("a", works))}, ir.PlaceClosed},
		{"a * that leaves if its guard holds", []*ir.Row{when(quality, false, row("*", nil)), row("*", works)}, ir.PlaceOr},
		{"a * that leaves if no guard holds", []*ir.Row{when(quality, false, row("*", works)), row("*", marker)}, ir.PlaceOr},
		{"a * that stays either way", []*ir.Row{when(quality, false, row("*", works)), row("*", works)}, ir.PlaceOpen},
	}
	for _, c := range cases {
		if got := (&ir.State{Agent: agent, Rows: c.rows}).Place(); got.Kind != c.want {
			t.Errorf("%s: got kind %d, want %d", c.name, got.Kind, c.want)
		}
	}
}

// Where all guards of a key may fail and "*" ends the machine, the key becomes the machine's.
func TestOutcomesOfGuardedRows(t *testing.T) {
	react := named("react", &ir.React{})
	declared := named("declared", &ir.React{Keys: []ir.Text{{Value: "again"}, {Value: "stop"}}})
	cases := []struct {
		name  string
		agent *ir.Agent
		rows  []*ir.Row
		known []string
		not   []string
	}{
		{"a guard that may fail", declared, []*ir.Row{when(quality, false, row("again", works)), row("*", nil)},
			[]string{"again", "stop"}, nil},
		{"a row without a guard behind it", declared,
			[]*ir.Row{when(quality, false, row("again", works)), row("again", works), row("*", nil)},
			[]string{"stop"}, []string{"again"}},
		{"opposite guards", declared,
			[]*ir.Row{when(quality, false, row("again", works)), when(quality, true, row("again", works)), row("*", nil)},
			[]string{"stop"}, []string{"again"}},
		{"different guards", declared,
			[]*ir.Row{when(quality, false, row("again", works)), when(other, true, row("again", works)), row("*", nil)},
			[]string{"again", "stop"}, nil},
		{"an agent that adapts", react, []*ir.Row{when(quality, false, row("again", works)), row("*", nil)},
			[]string{"again"}, nil},
		{"a * that stays", declared, []*ir.Row{when(quality, false, row("again", works)), row("*", works)}, nil,
			[]string{"again", "stop"}},
		{"a guarded row that leaves", declared, []*ir.Row{when(quality, false, row("again", nil)), row("*", works)},
			[]string{"again"}, []string{"stop"}},
	}
	for _, c := range cases {
		machine := named("machine", &ir.Machine{States: []*ir.State{{Agent: c.agent, Rows: c.rows}}})
		p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{react, declared, works.Agent, machine}}, flow.Guess{})
		out := p.Outcomes(machine)
		if got := out.Keys(); !slices.Equal(got, c.known) {
			t.Errorf("%s: comes out with %q, want %q", c.name, got, c.known)
		}
		for _, key := range c.not {
			if out.CanFinishWith(key) {
				t.Errorf("%s: can finish with %q", c.name, key)
			}
		}
	}
}
