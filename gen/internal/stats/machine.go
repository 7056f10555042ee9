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
	t := tableOf(m)
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

func tableOf(m *ir.Machine) table {
	index := make(map[*ir.State]int, len(m.States))
	for i, s := range m.States {
		index[s] = i
	}
	t := newTable(len(m.States))
	t.start = index[m.Initial.State]
	for i, s := range m.States {
		t.runs[i] = s.Agent != nil
		if s.Always != nil && s.Always.State != nil {
			t.next[i] = append(t.next[i], index[s.Always.State])
		}
		for _, row := range s.Rows {
			if row.To.State != nil {
				t.next[i] = append(t.next[i], index[row.To.State])
			}
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

// cycles returns how many groups of a machine's states lead to each other or to themselves.
func cycles(m *ir.Machine) int {
	t := tableOf(m)
	found := 0
	for _, group := range scc.Groups(t.next) {
		if len(group) > 1 || slices.Contains(t.next[group[0]], group[0]) {
			found++
		}
	}

	return found
}
