package can

import (
	"fmt"
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// texts is the common part of the domains of workflows and patterns: it compares and joins facts,
// and follows them through machines and parallel branches.
type texts struct {
	*analysis
	agent *ir.Agent
}

// None returns the state without runs.
func (*texts) None() facts { return nil }

// IsNone reports whether a state has no facts.
func (*texts) IsNone(in facts) bool { return len(in) == 0 }

// Union returns the facts of both states.
func (*texts) Union(a, b facts) facts {
	all := maps.Clone(a)
	all.addFacts(b)

	return all
}

// Fresh returns the facts that were not seen, or have better paths.
func (*texts) Fresh(seen, in facts) (fresh, all facts) {
	fresh = facts{}
	for name, t := range in {
		if t.isBetterThan(seen[name]) {
			fresh[name] = t
		}
	}
	if len(fresh) == 0 {
		return nil, seen
	}
	all = facts{}
	all.addFacts(seen)
	all.addFacts(fresh)

	return fresh, all
}

// Fork begins parallel branches with the same facts.
func (*texts) Fork(_ *ir.Task, in facts) []facts { return []facts{in} }

// Share adds what the branches store, because the others may read it.
func (*texts) Share(_ *ir.Task, start facts, arms []interp.Ends[facts]) facts {
	found := maps.Clone(start)
	for _, arm := range arms {
		for _, ends := range []facts{arm.Done, arm.Failed} {
			for name, t := range ends.storedFacts(parallelReason) {
				if start[name] == nil {
					found.addFact(name, t)
				}
			}
		}
	}

	return found
}

// parallelReason is why no script makes a branch read what another one stores, and failedReason why
// none makes a step fail at the right moment.
const (
	parallelReason = "branches that run side by side read what another stores"
	failedReason   = "a step fails after it has stored the text"
)

// Begin changes nothing.
func (*texts) Begin(_ *ir.Task, _ *ir.Machine, in facts) facts { return in }

// Event changes nothing.
func (*texts) Event(_ interp.StateVisit[facts], _ string, in facts) facts { return in }

// Take continues after a move. Only an end gives the output of its previous state to the machine.
func (*texts) Take(_ interp.StateVisit[facts], move interp.Move, in facts) facts {
	switch {
	case move.Row == nil && move.Next == nil:
		in = in.withStep(Step{Do: "finish", openReason: "only the run decides what follows"})
	case move.Row == nil:
		in = in.withStep(Step{Do: "finish"})
	}
	if move.To != nil && move.To.End {
		return in
	}

	return in.withoutValues(valueFact)
}

// Stop ends a machine.
func (*texts) Stop(_ interp.StateVisit[facts], isRowless bool, in facts) facts {
	if isRowless {
		return in.withStep(Step{Do: "finish"})
	}

	return in
}

// Stall does nothing, because a failed machine passes on no text.
func (*texts) Stall(interp.StateVisit[facts], facts) {}

// Finish changes nothing.
func (*texts) Finish(_ *ir.Task, _ *ir.Machine, ends interp.Ends[facts]) interp.Ends[facts] {
	return ends
}

// callFacts returns the calls of a step as facts.
func callFacts(r *result) facts {
	all := facts{}
	for of, c := range r.calls {
		all[fact{slot: called, name: of.agent, field: of.tool, depth: 2}] = c.t
	}

	return all
}

// addEnds adds the ends of an agent: facts with the name of its key, facts after its failure, and
// noted calls.
func (r *result) addEnds(ends interp.Ends[facts]) {
	for _, name := range ends.Returned.sortedFacts() {
		r.addExit(name.knownKey(), fact{slot: name.slot}, ends.Returned[name])
	}
	if t := ends.Failed[failureFact]; t != nil {
		r.addExit("", failureFact, t)
	}
	r.addNoted(ends)
}

// addNoted adds facts of runs however they end: their calls, and what failed runs have stored,
// unless a run that ends well stores it, too.
func (r *result) addNoted(ends interp.Ends[facts]) {
	for name, t := range ends.Failed.storedFacts(failedReason) {
		if !r.hasExit(name) {
			r.addExit("", name, t)
		}
	}
	for name, t := range ends.Noted {
		r.addCall(reachedCall{toolUse{name.name, name.field}, t, t.lastStep().lastTool()})
	}
}

// hasExit reports whether a fact is among the exits, with any key.
func (r *result) hasExit(name fact) bool {
	for _, exits := range r.exits {
		if exits[name] != nil {
			return true
		}
	}

	return false
}

// unsupportedMessage is the message for a part of the language whose texts this package does not follow.
// It must not be ignored.
func unsupportedMessage(part any) string { return fmt.Sprintf("can: %T is not followed", part) }
