package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// noExit finds closed groups of states: once the machine is in one it can neither leave it nor end.
// A group is reported once, at its first state, with the shortest way into it. States that only
// lead into a group are its consequence, and a group that no way leads into is an unreachable one.
// A gate ends where its agent may finish. A machine that others drive need not end: no state of it
// costs anything, and services, connections and devices have no end.
var noExit = Pass{Name: "no-exit", run: func(u *unit) {
	for _, x := range u.machines {
		if x.gate != nil && (!x.places(ir.FinishAction) || x.start() != nil && x.start().Marker()) {
			continue // this is ungated-tool or undefined-initial
		}
		for _, stuck := range x.flow.Stuck() {
			u.report(x.noExit(stuck))
		}
	}
	u.endedGates()
	u.noWorkExit()
	u.loopsWithoutExit()
}}

// closedIn returns the strongly connected components of a graph that nothing leaves and in which
// nothing ends, each sorted.
func closedIn(next [][]int, ends []bool) [][]int {
	groups := scc.Groups(next)
	component := make([]int, len(next))
	for c, group := range groups {
		for _, i := range group {
			component[i] = c
		}
	}
	var closed [][]int
	for c, group := range groups {
		if isClosed(group, next, ends, component, c) {
			closed = append(closed, group)
		}
	}

	return closed
}

func isClosed(group []int, next [][]int, ends []bool, component []int, c int) bool {
	for _, i := range group {
		if ends[i] {
			return false
		}
		for _, j := range next[i] {
			if component[j] != c {
				return false
			}
		}
	}

	return true
}

func (x *machine) noExit(stuck flow.Stuck) *diag.Diagnostic {
	group := stuck.States
	names := make([]string, len(group))
	for i, s := range group {
		names[i] = s.Name.Value
	}
	in := "state " + quoted(names)
	if len(group) > 1 {
		in = "one of the states " + quoted(names)
	}
	if x.gate != nil {
		d := diag.New(diag.NoExit, group[0].Name.Span, "agent %q cannot finish once its gate is in %s", x.agent.Name.Value, in).
			WithHint("give %s a row for finish, or one that leads to a state that has it", plural(len(group), "it", "one of them"))
		return x.noteWay(d, group)
	}
	d := diag.New(diag.NoExit, group[0].Name.Span, "machine %q cannot end once it is in %s", x.agent.Name.Value, in)
	d.WithHint("give %s a row to ~ or to a state that is null", plural(len(group), "it", "one of them"))
	if stuck.Site != nil {
		d.Note(placeOf(stuck.Site.Around.PatternAt, stuck.Site.Around.Name), "%s takes only %s, which lead on here",
			where(stuck.Site), quotedOr(stuck.Site.Rule.Keys))
	}

	return x.noteWay(noteDeadRows(d, group), group)
}

// noteDeadRows shows the rows that would lead out of a group if they were ever taken.
func noteDeadRows(d *diag.Diagnostic, group []*flow.State) *diag.Diagnostic {
	for _, s := range group {
		for _, move := range s.Moves {
			if move.Dead == flow.Alive || move.To != nil && slices.Contains(group, move.To) {
				continue
			}
			if len(d.Related) == maxListed {
				return d
			}
			d.Note(move.Key().Span, "the row %q is never taken", move.Key().Value)
		}
	}

	return d
}
