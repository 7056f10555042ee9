package stats

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// exactSteps is how many steps of a walk are looked at one by one. Each further one counts as the costliest state.
const exactSteps = 1000

// machine returns the bound of the costliest walk.
func (b *bounds) machine(m *ir.Machine) Calls {
	if m.External || m.Initial.State == nil {
		return 0
	}
	t := b.tableOf(m)
	own := make([]Calls, len(m.States))
	for i, s := range m.States {
		own[i] = b.agent(s.Agent)
	}
	from, rest := t.costliest(own, m.MaxSteps)

	return from[t.start].plus(rest)
}

// costliest returns what the costliest walk of so many steps costs from each state, and what its steps cost that were not looked at
// one by one. It asks, for walks of one step, of two and so on, what they cost from each state.
func (t table) costliest(own []Calls, steps int) (from []Calls, rest Calls) {
	from = make([]Calls, len(own)) // the cost of walks of no step at all
	for n := range min(steps, exactSteps) {
		longer := t.oneStepMore(own, from)
		if slices.Equal(longer, from) {
			return from, 0
		}
		from, rest = longer, slices.Max(own).times(steps-n-1)
	}

	return from, rest
}

// table is a machine's states by index, with the states that each leads to.
type table struct {
	start int
	next  [][]int
	// runs are the states in which something runs, open those from which every other one may be next.
	runs, open []bool
}

// tableOf returns the table of a machine without the rows that are never taken.
func (b *bounds) tableOf(m *ir.Machine) table {
	x := b.facts.Machine(m)
	t := newTable(len(x.States))
	if x.Start != nil {
		t.start = x.Start.Index
	}
	for i, s := range x.States {
		t.runs[i] = s.Agent != nil
		for _, to := range s.Next() {
			t.next[i] = append(t.next[i], to.Index)
		}
	}

	return t
}

func newTable(states int) table {
	return table{next: make([][]int, states), runs: make([]bool, states), open: make([]bool, states)}
}

// oneStepMore returns what walks cost that have one step more than those that from is about.
func (t table) oneStepMore(own, from []Calls) []Calls {
	longer := make([]Calls, len(own))
	costliest := slices.Max(from)
	for i, next := range t.next {
		if !t.runs[i] {
			continue
		}
		rest := Calls(0)
		if t.open[i] {
			rest = costliest
		}
		for _, to := range next {
			rest = max(rest, from[to])
		}
		longer[i] = own[i].plus(rest)
	}

	return longer
}

// cycles returns how many groups of states lead to each other or to themselves.
func (t table) cycles() int {
	found := 0
	for _, group := range scc.Groups(t.next) {
		if len(group) > 1 || slices.Contains(t.next[group[0]], group[0]) {
			found++
		}
	}

	return found
}
