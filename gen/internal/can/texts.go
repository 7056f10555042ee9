package can

import (
	"fmt"
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// texts is what the domains of workflows and of patterns have in common: how facts are compared and
// joined, and what machines and branches side by side do with them.
type texts struct {
	*analysis
	agent *ir.Agent
}

// None returns the state that no run is in.
func (*texts) None() facts { return nil }

// IsNone reports whether no fact is true in a state.
func (*texts) IsNone(in facts) bool { return len(in) == 0 }

// Join returns the facts of both states.
func (*texts) Join(a, b facts) facts {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	all := maps.Clone(a)
	all.addAll(b)

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
	all.addAll(seen)
	all.addAll(fresh)

	return fresh, all
}

// Fork begins branches side by side with the same facts.
func (*texts) Fork(_ *ir.Task, in facts) []facts { return []facts{in} }

// Share adds what the branches store, which each of them may read meanwhile.
func (*texts) Share(_ *ir.Task, start facts, arms []interp.Ends[facts]) facts {
	found := maps.Clone(start)
	for _, arm := range arms {
		for _, ends := range []facts{arm.Done, arm.Failed} {
			for name, t := range ends.stored(besideReason) {
				if start[name] == nil {
					found.add(name, t)
				}
			}
		}
	}

	return found
}

// besideReason is why no script makes a branch read what another one stores meanwhile, and
// failedReason why none makes a step fail at the right moment.
const (
	besideReason = "branches that run side by side read what another stores"
	failedReason = "a step fails after it has stored the text"
)

// Begin begins a machine.
func (*texts) Begin(_ *ir.Task, _ *ir.Machine, in facts) facts { return in }

// Event returns the facts behind the steps of a state.
func (*texts) Event(_ interp.At[facts], _ string, in facts) facts { return in }

// Take goes on behind a move. Only an end gives the output of the state before it to the machine.
func (*texts) Take(_ interp.At[facts], move interp.Move, in facts) facts {
	switch {
	case move.Row == nil && move.Next == nil:
		in = in.with(Step{Do: "finish", open: "only the run decides what follows"})
	case move.Row == nil:
		in = in.with(Step{Do: "finish"})
	}
	if move.To != nil && move.To.End {
		return in
	}

	return in.without(value)
}

// Stop ends a machine.
func (*texts) Stop(_ interp.At[facts], isRowless bool, in facts) facts {
	if isRowless {
		return in.with(Step{Do: "finish"})
	}

	return in
}

// Stall fails a machine, which brings no text any further.
func (*texts) Stall(interp.At[facts], facts) {}

// Finish returns what was found in a machine.
func (*texts) Finish(_ *ir.Task, _ *ir.Machine, ends interp.Ends[facts]) interp.Ends[facts] {
	return ends
}

// noted returns the calls of a step as facts.
func noted(r *result) facts {
	all := facts{}
	for of, c := range r.calls {
		all[fact{slot: called, name: of.agent, field: of.tool, depth: 2}] = c.t
	}

	return all
}

// finish adds what comes of an agent: facts behind it that are named after its key, those behind its
// failure, and what is noted on the way.
func (r *result) finish(ends interp.Ends[facts]) {
	for _, name := range ends.Returned.sorted() {
		r.exit(name.key(), fact{slot: name.slot}, ends.Returned[name])
	}
	if t := ends.Failed[failure]; t != nil {
		r.exit("", failure, t)
	}
	r.note(ends)
}

// note adds what comes of runs however they end: the calls that are made, and what runs have stored
// that fail, unless some run that ends well stores it, too.
func (r *result) note(ends interp.Ends[facts]) {
	for name, t := range ends.Failed.stored(failedReason) {
		if !r.leaves(name) {
			r.exit("", name, t)
		}
	}
	for name, t := range ends.Noted {
		r.call(call{use{name.name, name.field}, t, t.last().made()})
	}
}

// leaves reports whether a fact is behind it, with any key.
func (r *result) leaves(name fact) bool {
	for _, exits := range r.exits {
		if exits[name] != nil {
			return true
		}
	}

	return false
}

// notFollowed is the fault of a part of the language of which it is not known here what comes of
// texts in it: it must not be harmless.
func notFollowed(part any) string { return fmt.Sprintf("can: %T is not followed", part) }
