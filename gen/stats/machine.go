package stats

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/scc"
)

// exactSteps is how many steps of a walk are looked at one by one. Each further one counts as the costliest state.
const exactSteps = 1000

// machine returns the bound of the costliest walk. It asks, for walks of one step, of two and so on, what they cost from each
// state.
func (b *bounds) machine(m *ir.Machine) Calls {
	if m.External || m.Initial.State == nil {
		return 0
	}
	t := tableOf(m)
	own := make([]Calls, len(m.States))
	for i, s := range m.States {
		own[i] = b.agent(s.Agent)
	}

	from := make([]Calls, len(m.States)) // the cost of walks of no step at all
	steps := 0
	for ; steps < min(m.MaxSteps, exactSteps); steps++ {
		longer := t.oneStepMore(own, from)
		if slices.Equal(longer, from) {
			return from[t.start]
		}
		from = longer
	}

	return from[t.start].plus(slices.Max(own).times(m.MaxSteps - steps))
}

// table is a machine's states by index, with the states that each leads to.
type table struct {
	start  int
	next   [][]int
	agents []bool
}

func tableOf(m *ir.Machine) table {
	index := make(map[*ir.State]int, len(m.States))
	for i, s := range m.States {
		index[s] = i
	}
	t := table{start: index[m.Initial.State], next: make([][]int, len(m.States)), agents: make([]bool, len(m.States))}
	for i, s := range m.States {
		t.agents[i] = s.Agent != nil
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

// oneStepMore returns what walks cost that have one step more than those that from is about.
func (t table) oneStepMore(own, from []Calls) []Calls {
	longer := make([]Calls, len(own))
	for i, next := range t.next {
		if !t.agents[i] {
			continue
		}
		rest := Calls(0)
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
