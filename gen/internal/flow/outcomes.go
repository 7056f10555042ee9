package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Outcomes are the keys with which an agent can finish within its bounds, whatever is legal where
// it runs:
//
//   - a react agent that declares keys: those. One that does not finishes with any key that is legal;
//   - a oneshot: the one key that it has;
//   - a machine: the keys of the rows that can be taken and leave it; and the outcomes of an agent whose key is the machine's,
//     which is one in a terminal, one before a marker without a condition, and one before a catch-all that leaves, but for the keys
//     that a row is certain to take. Signals may put another key in the place of an agent's;
//   - a flow: the key done if it ends with it; and the outcomes of each step and agent whose key is the flow's, but for
//     the keys that the flow itself routes;
//   - a workflow: the end states of the machine with which it ends, and the key done where it can end in another way.
//
// An agent that could not be read has no outcomes, nor has one that cannot end, nor the reference
// that closes a circle of agents.
type Outcomes struct {
	p *Program
	// named are the keys that are known by name, by the fewest calls of models behind which they come.
	named []way
	// kept, unless it is nil, says that it finishes with any key that is legal where the agent runs, but those, which are routed inside;
	// behind so many calls as in adapting.
	kept     *big.Int
	adapting int
	// Exhausts says that it finishes with [ir.ExhaustedKey] where that has a row, behind so many calls as in atLimit.
	Exhausts bool
	atLimit  int
}

// way is some keys, whose numbers are the bits, and how many calls of models they take at least.
type way struct {
	keys  *big.Int
	calls int
}

// maxWays bounds the ways; beyond them, some cost what a cheaper one does.
const maxWays = 8

// Adapts reports whether the agent can finish with keys for no other reason than that they are
// legal where it runs.
func (o Outcomes) Adapts() bool { return o.kept != nil }

// None reports whether nothing is known to come out.
func (o Outcomes) None() bool { return o.Empty() && !o.Adapts() && !o.Exhausts }

// Empty reports whether no outcome is known by name.
func (o Outcomes) Empty() bool { return len(o.named) == 0 }

// Keys returns the outcomes that are known by name, each as it is written first in the program.
func (o Outcomes) Keys() []string {
	var all big.Int
	for _, w := range o.named {
		all.Or(&all, w.keys)
	}

	return o.p.written(&all)
}

// written returns the keys of a set, each as it is written first in the program.
func (p *Program) written(set *big.Int) (keys []string) {
	for n := range set.BitLen() {
		if set.Bit(n) == 1 {
			keys = append(keys, p.texts[n])
		}
	}

	return keys
}

// Has reports whether key is an outcome that is known by name.
func (o Outcomes) Has(key string) bool {
	n := o.p.numberOf(key)

	return n >= 0 && slices.ContainsFunc(o.named, func(w way) bool { return w.keys.Bit(n) == 1 })
}

// Can reports whether the agent can finish with key where that has a row.
func (o Outcomes) Can(key string) bool {
	_, can := o.callsFor(key)

	return can
}

// callsFor returns how many calls of models it takes at least to finish with a key where that has a
// row.
func (o Outcomes) callsFor(key string) (calls int, can bool) {
	n := o.p.numberOf(key)
	if o.Exhausts && ir.FoldKey(key) == ir.ExhaustedKey {
		calls, can = o.atLimit, true
	}
	for _, w := range o.named {
		if n >= 0 && w.keys.Bit(n) == 1 && (!can || w.calls < calls) {
			calls, can = w.calls, true
		}
	}
	adaptsTo := o.Adapts() && (n < 0 || o.kept.Bit(n) == 0)
	if adaptsTo && (!can || o.adapting < calls) {
		calls, can = o.adapting, true
	}

	return calls, can
}

// Calls returns how many calls of models it takes at least to finish.
func (o Outcomes) Calls() int {
	if o.None() {
		return 0
	}
	all := ir.Map(o.named, func(w way) int { return w.calls })
	if o.Exhausts {
		all = append(all, o.atLimit)
	}
	if o.Adapts() {
		all = append(all, o.adapting)
	}

	return slices.Min(all)
}

// Beyond returns the outcomes without those that have a row in s.
func (o Outcomes) Beyond(s *ir.State) Outcomes { return o.without(s.Keys()) }

func (o Outcomes) without(routed []string) Outcomes {
	if len(routed) == 0 {
		return o
	}
	o = o.clone()
	var set big.Int
	for _, key := range routed {
		set.SetBit(&set, o.p.number(key), 1)
		o.Exhausts = o.Exhausts && ir.FoldKey(key) != ir.ExhaustedKey
	}
	for _, w := range o.named {
		w.keys.AndNot(w.keys, &set)
	}
	o.named = slices.DeleteFunc(o.named, func(w way) bool { return w.keys.Sign() == 0 })
	if o.Adapts() {
		o.kept.Or(o.kept, &set)
	}

	return o
}

// with returns the outcomes with others, which take so many calls more.
func (o Outcomes) with(others Outcomes, calls int) Outcomes {
	switch {
	case others.None():
		return o
	case o.None() && calls == 0:
		others.p = o.p
		return others
	}
	o = o.clone()
	if others.Exhausts && (!o.Exhausts || others.atLimit+calls < o.atLimit) {
		o.Exhausts, o.atLimit = true, others.atLimit+calls
	}
	for _, w := range others.named {
		o.named = withWay(o.named, way{w.keys, w.calls + calls})
	}
	switch {
	case !others.Adapts():
	case !o.Adapts():
		o.kept, o.adapting = new(big.Int).Set(others.kept), others.adapting+calls
	default:
		o.kept.And(o.kept, others.kept)
		o.adapting = min(o.adapting, others.adapting+calls)
	}

	return o
}

// withWay adds a way to others, whose sets are changed.
func withWay(ways []way, w way) []way {
	for _, known := range ways {
		switch {
		case known.calls == w.calls:
			known.keys.Or(known.keys, w.keys)
			return ways
		case known.calls < w.calls && new(big.Int).AndNot(w.keys, known.keys).Sign() == 0:
			return ways
		}
	}
	if len(ways) < maxWays {
		return append(ways, way{new(big.Int).Set(w.keys), w.calls})
	}
	last := &ways[len(ways)-1]
	last.keys.Or(last.keys, w.keys)
	last.calls = min(last.calls, w.calls)

	return ways
}

// clone returns outcomes that may be changed.
func (o Outcomes) clone() Outcomes {
	o.named = ir.Map(o.named, func(w way) way { return way{new(big.Int).Set(w.keys), w.calls} })
	if o.Adapts() {
		o.kept = new(big.Int).Set(o.kept)
	}

	return o
}

// withKey returns the outcomes with a key that takes so many calls.
func (o Outcomes) withKey(key string, calls int) Outcomes {
	return o.with(Outcomes{named: []way{{new(big.Int).SetBit(new(big.Int), o.p.number(key), 1), 0}}}, calls)
}

// within returns the outcomes whose calls a budget allows.
func (o Outcomes) within(b *ir.Budget) Outcomes {
	if b == nil || b.Calls == 0 {
		return o
	}
	o.Exhausts = o.Exhausts && o.atLimit <= b.Calls
	o.named = slices.DeleteFunc(slices.Clone(o.named), func(w way) bool { return w.calls > b.Calls })
	if o.adapting > b.Calls {
		o.kept = nil
	}

	return o
}

// ofConversation returns the outcomes of a react loop and of a oneshot.
func (p *Program) ofConversation(node ir.Node) Outcomes {
	o := Outcomes{p: p}
	switch node := node.(type) {
	case *ir.React:
		for _, key := range node.Keys {
			o = o.withKey(key.Value, 1)
		}
		if len(node.Keys) == 0 {
			o.kept, o.adapting = new(big.Int), 1
		}
	case *ir.Oneshot:
		o = o.withKey(ir.DoneKey, 1)
	}

	return o
}

// ofFlow adds up what comes out of the runs whose key is the flow's.
func (p *Program) ofFlow(f *ir.Flow) Outcomes {
	least := int(p.costOfBody(f.Body.Steps()).ended)
	if least >= never {
		least = 0 // of what is not known
	}
	o := Outcomes{p: p, Exhausts: f.HasLimitKey(), atLimit: least}
	done, own := f.FinishKeys()
	if done {
		o = o.withKey(ir.DoneKey, least)
	}
	for _, run := range own {
		out := p.OfRun(run)
		o = o.with(out, max(0, least-out.Calls()))
	}

	return o
}

// OfRun returns with which keys what runs can finish, but for those that the flow around it routes.
func (p *Program) OfRun(run *ir.Run) Outcomes { return p.ofRun(run).without(run.At.Keys) }

// ofRun returns with which keys a step or an agent can finish.
func (p *Program) ofRun(run *ir.Run) Outcomes {
	if run.Step != nil {
		return p.ofConversation(run.Step.Node)
	}

	return p.Outcomes(run.Agent.Agent)
}

// PassOn returns the agents for which is holds, and those whose key may be that of such an agent.
func (p *Program) PassOn(is func(*ir.Agent) bool) map[*ir.Agent]bool {
	found := map[*ir.Agent]bool{}
	for _, a := range p.order {
		found[a] = is(a)
		switch node := a.Node.(type) {
		case *ir.Machine:
			if node == nil {
				continue
			}
			for _, s := range node.States {
				if s.Place().PassesKeyOn() {
					found[a] = found[a] || found[s.Agent]
				}
			}
		case *ir.Flow:
			if !node.IsWorkflow() {
				_, own := node.FinishKeys()
				for _, run := range own {
					found[a] = found[a] || run.Agent != nil && found[run.Agent.Agent]
				}
			}
		}
	}

	return found
}
