package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// unreachableState finds states that no path leads to from the initial state, as the rows are written. Of a chain of
// them only the first is at fault: the others would be reached if it were. A circle is reported once, from its first state.
var unreachableState = Pass{Name: "unreachable-state", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		start := x.start()
		lost := slices.ContainsFunc(x.flow.States, func(s *flow.State) bool { return !s.Written })
		if known := lost && !x.Partial && start != nil; known && (x.task != nil || !start.Marker() && !slices.ContainsFunc(u.duplicated[x.agent.File], func(name string) bool { return x.byName[name] != nil })) {
			x.unreachable(u)
		}
	}
}}

// unreachable finds the states of one machine. In a workflow they are warnings: the initial context may name any state as the
// one to start with.
func (x *machine) unreachable(u *unit) {
	next, seen := make([][]int, len(x.States)), make([]bool, len(x.States))
	for i, s := range x.flow.States {
		seen[i] = s.Written
		for _, move := range s.Moves {
			if move.To != nil {
				next[i] = append(next[i], move.To.Index)
			}
		}
	}
	eachUnreached(next, seen, func(group, behind []int) {
		start, leads := x.start(), "no path leads"
		if x.task != nil {
			leads = "neither a row nor a next_state leads"
		}
		d := diag.New(diag.UnreachableState, x.States[group[0]].Name.Span, "state %q of machine %q is never reached: %s to it from %q",
			x.names[group[0]], x.name(), leads, start.Name.Value)
		noteUnreached(d, pick(x.names, group), pick(x.names, behind))
		if x.task != nil {
			d.Warn()
		}
		u.report(d.Note(x.Initial.Span, "the machine starts in %q", start.Name.Value))
	})
}

// eachUnreached calls found for each group of nodes that is not seen and that nothing outside of it leads to, with what is not
// seen either because only the group leads to it. What is found is marked as seen.
func eachUnreached(next [][]int, seen []bool, found func(group, behind []int)) {
	for _, group := range scc.Closed(scc.Reversed(next)) {
		if !seen[group[0]] {
			found(group, behind(next, group, seen))
		}
	}
}

// noteUnreached says which other states a group of unreached ones has, and which are behind it.
func noteUnreached(d *diag.Diagnostic, group, behind []string) {
	if len(group) > 1 {
		d.WithHint("only %s %s to it", quoted(group[1:]), plural(len(group)-1, "leads", "lead"))
	}
	if len(behind) > 0 {
		d.Note(noSpan, "behind it, %s %s not reached either", quoted(behind), plural(len(behind), "is", "are"))
	}
}

// behind returns the nodes outside of group that are not seen and that it leads to, and marks it and them as seen.
func behind(next [][]int, group []int, seen []bool) []int {
	for _, i := range group {
		seen[i] = true
	}
	queue := append([]int(nil), group...)
	for at := 0; at < len(queue); at++ {
		for _, j := range next[queue[at]] {
			if !seen[j] {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}

	return queue[len(group):]
}
