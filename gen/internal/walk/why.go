package walk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Why says why no walk takes a row, or why none that does comes to its end.
type Why struct {
	Reason Reason
	// Text is a sentence about it: lower case, no full stop.
	Text string
}

// Reason is a kind of reason.
type Reason string

// The reasons.
const (
	// NeverRun: no walk runs the machine.
	NeverRun Reason = "never-run"
	// Unreached: no walk comes to the state.
	Unreached Reason = "unreached"
	// NoKey: what runs in the state never finishes with a key that takes the row.
	NoKey Reason = "no-key"
	// NoEnd: walks take the row, but none of them comes to its end.
	NoEnd Reason = "no-end"
	// Bound: the walks that take it are longer than the bound.
	Bound Reason = "bound"
	// Guards: what guards say decides, and no script can tell them what to say; or they never let a walk take it.
	Guards Reason = "guards"
)

// explainer finds reasons.
type explainer struct {
	limits limits
	// free are the machines as they are without their limits, whole all of them.
	free  map[*ir.Agent]*Machine
	whole *Result
}

func newExplainer(l limits, free *Result) *explainer {
	e := &explainer{limits: l, free: map[*ir.Agent]*Machine{}, whole: free}
	for _, m := range free.Machines {
		e.free[m.Agent] = m
	}

	return e
}

// why says why no walk takes a row, or none that does comes to its end.
func (e *explainer) why(row *Row) Why {
	if e.whole.gaveUp {
		return tooMany
	}
	if _, isGate := row.Machine.Agent.Node.(*ir.React); isGate {
		return whyGate()
	}
	free := e.free[row.Machine.Agent]
	name := row.Machine.Agent.Name.Value
	entered, runs := at(free, row)
	switch {
	case free.Rows[row.index].Ends || free.Rows[row.index].Taken && !row.Taken:
		return e.tooLong(free, row)
	case row.Taken:
		return Why{NoEnd, "no run that takes it comes to its end"}
	case !entered:
		return Why{NeverRun, fmt.Sprintf("no run comes to machine %q", name)}
	case runs == nil:
		return Why{Unreached, fmt.Sprintf("no run comes to state %q", row.State.Name.Value)}
	}

	return e.noKey(row, runs)
}

// whyEndless says why no run that begins with the i-th root comes to its end.
func (e *explainer) whyEndless(i int, n *node) Why {
	switch {
	case e.whole.gaveUp:
		return tooMany
	case !e.whole.nodes[i].endless() || n.cut:
		return Why{Bound, "the runs that do are longer than the bound"}
	}

	return Why{NoEnd, n.problem}
}

// at says whether some walk enters the machine of a row, and returns what runs in the row's state at the first place
// where a walk comes to it; nil if none does.
func at(m *Machine, row *Row) (entered bool, runs *node) {
	for _, n := range m.nodes {
		s := &n.body.(*machine).states[row.State.index]
		if n.entered && len(s.reach) > 0 {
			return true, s.runs
		}
		entered = entered || n.entered
	}

	return entered, nil
}

// tooLong compares the fewest agents that the machine runs, in a walk that takes a row and ends if one does, with the
// bound.
func (e *explainer) tooLong(free *Machine, row *Row) Why {
	fewest, whole := infinite, free.Rows[row.index].Ends
	for _, n := range free.nodes {
		x := n.body.(*machine)
		s := &x.states[row.State.index]
		for _, mv := range s.moves {
			if mv.row != row.index || len(s.reach) == 0 {
				continue
			}
			steps := s.reach[0].steps + 1
			if whole && mv.to >= 0 {
				if len(x.states[mv.to].leave) == 0 {
					continue
				}
				steps += x.states[mv.to].leave[0].steps
			}
			fewest = min(fewest, steps)
		}
	}

	name := row.Machine.Agent.Name.Value
	bound := e.limits.of(row.Machine.Agent.Node.(*ir.Machine))
	if fewest <= bound {
		return Why{Bound, fmt.Sprintf("the runs that take it need more agents around machine %q than the bound allows", name)}
	}

	return Why{Bound, fmt.Sprintf("machine %q has to run %d agents in a run that takes it, and the bound is %d",
		name, fewest, bound)}
}

// tooMany is why no walk takes a row of a program that was not walked to its end.
var tooMany = Why{Bound, "not everything was walked: the agents of the program stand in too many places"}

// noKey says what an agent finishes with instead.
func (e *explainer) noKey(row *Row, runs *node) Why {
	agent := fmt.Sprintf("agent %q", runs.label)
	switch {
	case runs.cut:
		return Why{Bound, fmt.Sprintf("%s does not finish with it within %d rounds, which is the bound",
			agent, e.limits.rounds)}
	case len(runs.outcomes) == 0:
		return Why{NoKey, fmt.Sprintf("%s never finishes: %s", agent, runs.problem)}
	case comesTo(row, runs):
		return Why{Guards, "the guards of its key never let it be taken"}
	case row.Row.IsCatchAll():
		return Why{NoKey, fmt.Sprintf("%s finishes here only with keys that have a row: %s", agent, keyList(runs))}
	}

	return Why{NoKey, fmt.Sprintf("%s never finishes with it here, only with %s", agent, keyList(runs))}
}

// comesTo reports whether what runs finishes with the key of a row, or, for the catch-all, of any, and rows are asked before that
// have guards.
func comesTo(row *Row, runs *node) bool {
	if row.Row == nil {
		return false
	}
	guards := slices.ContainsFunc(row.State.Rows, func(r *ir.Row) bool {
		return r.When != nil && (row.Row.IsCatchAll() || r.Key.Value == row.Row.Key.Value)
	})

	return guards && slices.ContainsFunc(runs.outcomes, func(o outcome) bool {
		return row.Row.IsCatchAll() || o.is(row.Row.Key.Value)
	})
}

// keyList lists the keys of a node; of many, the first.
func keyList(n *node) string {
	const most = 6
	var list []string
	for _, o := range n.outcomes {
		text := fmt.Sprintf("%q", o.key)
		if slices.Contains(list, text) {
			continue
		}
		if len(list) == most {
			list = append(list, "…")
			break
		}
		list = append(list, text)
	}

	return strings.Join(list, ", ")
}
