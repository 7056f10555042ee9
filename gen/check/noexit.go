package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/scc"
)

// noExit finds closed groups of states: once the machine is in one it can neither leave it nor end. A group is reported
// once, at its first state, with the shortest way into it. States that only lead into a group are its consequence, and a group
// that no way leads into is an unreachable one. A gate ends where its agent may finish. A machine that others drive need not end: no
// state of it costs anything, and doors, connections and devices have no end.
var noExit = Pass{Name: "no-exit", run: func(u *unit) {
	for _, x := range u.machines {
		if x.Partial || x.External && x.gate == nil || x.gate != nil && (!x.places(ir.FinishAction) || x.start() != nil && x.start().Marker()) {
			continue // the latter are ungated-tool and undefined-initial
		}
		closed := closedIn(x.onward, x.maybeEnds())
		if len(closed) == 0 {
			continue
		}
		seen, ways := x.reachableBy(x.onward), x.ways()
		for _, group := range closed {
			if seen[group[0]] {
				u.report(ways.note(x.noExit(group), group))
			}
		}
	}
	u.endedGates()
	u.noWorkExit()
	u.loopsWithoutExit()
}}

// maybeEnds marks the states in which the machine can end, or from which nobody can say where it goes.
func (x *machine) maybeEnds() []bool {
	ends := make([]bool, len(x.States))
	for i := range ends {
		ends[i] = x.ends[i] || x.anywhere[i]
	}

	return ends
}

// closedIn returns the strongly connected components of a graph that nothing leaves and in which nothing ends, each sorted.
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

func (x *machine) noExit(group []int) *diag.Diagnostic {
	where := "state " + quoted(x.namesOf(group))
	if len(group) > 1 {
		where = "one of the states " + quoted(x.namesOf(group))
	}
	if x.gate != nil {
		return diag.New(diag.NoExit, x.States[group[0]].Name.Span, "agent %q cannot finish once its gate is in %s", x.agent.Name.Value, where).
			WithHint("give %s a row for finish, or one that leads to a state that has it", plural(len(group), "it", "one of them"))
	}
	d := diag.New(diag.NoExit, x.States[group[0]].Name.Span, "machine %q cannot end once it is in %s", x.agent.Name.Value, where)

	return d.WithHint("give %s a row to ~ or to a state that is null", plural(len(group), "it", "one of them"))
}
