package simulate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// nested returns n machines, each in the one before. Every second one passes the key of the one inside on where it has
// no row of its own for it, so that places grow with the depth.
func nested(n int) *ir.Program {
	leaf := &ir.Agent{Name: text("leaf"), Node: &ir.React{MaxIter: 1}}
	p := &ir.Program{Agents: []*ir.Agent{leaf}}
	inner := leaf
	for i := range n {
		s, marker := &ir.State{Name: inner.Name, Agent: inner}, &ir.State{Name: text("end")}
		to := ir.Ref{Text: marker.Name, State: marker}
		back := ir.Ref{Text: s.Name, State: s}
		s.Rows = []*ir.Row{{Key: text("again"), To: back}, {Key: text("good"), To: to}}
		if i%2 == 0 {
			s.Rows[1].Key = text(ir.CatchAll)
		}
		m := &ir.Machine{Initial: back, States: []*ir.State{s, marker}, MaxSteps: 50}
		inner = &ir.Agent{Name: text(fmt.Sprint("m", i)), Node: m}
		p.Agents = append(p.Agents, inner)
	}
	p.Entry = inner

	return p
}

func text(s string) ir.Text { return ir.Text{Value: s} }

// TestDeepNesting simulates ten thousand machines in each other. Of the rows for again, only the innermost is ever taken.
func TestDeepNesting(t *testing.T) {
	const n = 10_000
	p := nested(n)
	r := simulate.FindRuns(p, simulate.Options{Roots: []*ir.Agent{p.Entry}})
	taken := 0
	for _, m := range r.Machines {
		_, rows := m.CountCovered()
		taken += rows
	}
	if taken != n+1 || len(r.UncoveredRows()) != n-1 {
		t.Errorf("%d rows are taken, %d are left", taken, len(r.UncoveredRows()))
	}
	if scripts, unscripted := r.Scripts(nil); len(scripts) != 1 || len(scripts[0].Rows) != taken || len(unscripted) > 0 {
		t.Errorf("%d scripts, %d rows without one", len(scripts), len(unscripted))
	}
}

// doubling returns machines of which each runs in two of the level above, and that pass keys on, so that they are in twice as
// many places on each level; and the two at the top.
func doubling(levels int) (*ir.Program, []*ir.Agent) {
	leaf := &ir.Agent{Name: text("leaf"), Node: &ir.React{MaxIter: 1}}
	p := &ir.Program{Agents: []*ir.Agent{leaf}}
	below := []*ir.Agent{leaf}
	for level := range levels {
		var machines []*ir.Agent
		for side := range 2 {
			m := &ir.Machine{MaxSteps: 50}
			end := &ir.State{Name: text("end")}
			for i, a := range below {
				s := &ir.State{Name: a.Name, Agent: a}
				next := end
				if i > 0 {
					next = m.States[0]
				}
				key := text(fmt.Sprintf("key-%d-%d-%d", level, side, i))
				s.Rows = []*ir.Row{{Key: key, To: ir.Ref{Text: next.Name, State: next}}, {Key: text(ir.CatchAll), End: true}}
				m.States = append(m.States, s)
			}
			first := m.States[len(m.States)-1]
			m.Initial = ir.Ref{Text: first.Name, State: first}
			m.States = append(m.States, end)
			a := &ir.Agent{Name: text(fmt.Sprintf("m%d-%d", level, side)), Node: m}
			machines = append(machines, a)
			p.Agents = append(p.Agents, a)
		}
		below = machines
	}

	return p, below
}

// TestManyPlaces: the search gives up where there are too many places, and says so.
func TestManyPlaces(t *testing.T) {
	p, top := doubling(24)
	left := simulate.FindRuns(p, simulate.Options{Roots: top}).UncoveredRows()
	if len(left) == 0 || !strings.Contains(left[0].Why.Text, "too many places") {
		t.Errorf("%d rows are left: %v", len(left), left[0].Why)
	}
}
