package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// unreachableState finds states that no path of written rows reaches from the initial state. Of a
// chain of such states only the first is reported, and of a cycle the first state of the source.
var unreachableState = Pass{Name: "unreachable-state", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		start := x.startState()
		hasUnreached := slices.ContainsFunc(x.flow.States, func(s *flow.State) bool { return !s.Written })
		if !hasUnreached || x.Partial || start == nil {
			continue
		}
		if x.task != nil || !start.IsMarker() && !u.hasDuplicatedState(x) {
			x.reportUnreachable(u)
		}
	}
}}

// reportUnreachable reports the unreachable states of one machine. In a workflow they are warnings:
// the initial context may name any state as the start.
func (x *machine) reportUnreachable(u *unit) {
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
		start, leads := x.startState(), "no path leads"
		if x.task != nil {
			leads = "neither a row nor a next_state leads"
		}
		reached := "is never reached"
		if x.flow.BeginsAnywhere {
			reached = "is reached only by a run that begins in it"
		}
		d := diag.New(diag.UnreachableState, x.States[group[0]].Name.Span, "state %q of machine %q %s: %s to it from %q",
			x.names[group[0]], x.name(), reached, leads, start.Name.Value)
		noteUnreached(d, pickNames(x.names, group), pickNames(x.names, behind))
		if x.task != nil {
			d.Warn()
		}
		u.report(d.Note(x.Initial.Span, "the machine starts in %q", start.Name.Value))
	})
}

// eachUnreached calls found for each group of unseen nodes that nothing outside leads to, with the
// unseen nodes that only the group leads to. It marks all of them as seen.
func eachUnreached(next [][]int, seen []bool, found func(group, behind []int)) {
	for _, group := range scc.Closed(scc.Reversed(next)) {
		if !seen[group[0]] {
			found(group, markReached(next, group, seen))
		}
	}
}

// noteUnreached adds notes on the other states of an unreached group and on the states after it.
func noteUnreached(d *diag.Diagnostic, group, behind []string) {
	if len(group) > 1 {
		d.WithHint("only %s %s to it", quoted(group[1:]), plural(len(group)-1, "leads", "lead"))
	}
	if len(behind) > 0 {
		d.Note(noSpan, "behind it, %s %s not reached either", quoted(behind), plural(len(behind), "is", "are"))
	}
}

// markReached marks a group and all unseen nodes that it leads to as seen. It returns these nodes.
func markReached(next [][]int, group []int, seen []bool) []int {
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

// hasDuplicatedState reports whether a state of the machine occurs twice in its file, so that the
// rows of one of them are not read.
func (u *unit) hasDuplicatedState(x *machine) bool {
	return slices.ContainsFunc(u.duplicated[x.agent.File], func(name string) bool { return x.byName[name] != nil })
}
