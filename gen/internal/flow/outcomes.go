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
	// ways are those to finish with keys that are known by name, and with any key that is legal where the agent runs.
	ways []way
	// Exhausts says that it finishes with [ir.ExhaustedKey] where that has a row, behind so many calls as in atLimit.
	Exhausts bool
	atLimit  int
}

// way is a way to finish, with one of some keys or, if it adapts, with any legal key but those, which are routed inside; and how many
// calls of models that takes at least.
type way struct {
	adapts bool
	keys   *big.Int // the bits are the numbers of the keys
	calls  int
}

// maxWays bounds the ways of each sort; beyond them, some cost what a cheaper one does.
const maxWays = 8

// has reports whether a key can be that of the way; the number of one that the program does not have is negative.
func (w way) has(n int) bool { return (n >= 0 && w.keys.Bit(n) == 1) != w.adapts }

// covers reports whether the way does all that another one does, with no more calls.
func (w way) covers(other way) bool {
	less, more := other.keys, w.keys
	if w.adapts {
		less, more = more, less
	}

	return w.adapts == other.adapts && w.calls <= other.calls && new(big.Int).AndNot(less, more).Sign() == 0
}

// Adapts reports whether the agent can finish with keys for no other reason than that they are
// legal where it runs.
func (o Outcomes) Adapts() bool {
	return slices.ContainsFunc(o.ways, func(w way) bool { return w.adapts })
}

// None reports whether nothing is known to come out.
func (o Outcomes) None() bool { return len(o.ways) == 0 && !o.Exhausts }

// Empty reports whether no outcome is known by name.
func (o Outcomes) Empty() bool {
	return !slices.ContainsFunc(o.ways, func(w way) bool { return !w.adapts })
}

// Keys returns the outcomes that are known by name, each as it is written first in the program.
func (o Outcomes) Keys() []string {
	var all big.Int
	for _, w := range o.ways {
		if !w.adapts {
			all.Or(&all, w.keys)
		}
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

	return slices.ContainsFunc(o.ways, func(w way) bool { return !w.adapts && w.has(n) })
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
	for _, w := range o.ways {
		if w.has(n) && (!can || w.calls < calls) {
			calls, can = w.calls, true
		}
	}

	return calls, can
}

// Calls returns how many calls of models it takes at least to finish.
func (o Outcomes) Calls() int {
	least := never
	if o.Exhausts {
		least = o.atLimit
	}
	for _, w := range o.ways {
		least = min(least, w.calls)
	}
	if o.None() {
		return 0
	}

	return least
}

// Beyond returns the outcomes without those that have a row in s.
func (o Outcomes) Beyond(s *ir.State) Outcomes { return o.without(s.Keys()) }

func (o Outcomes) without(routed []string) Outcomes {
	if len(routed) == 0 {
		return o
	}
	var set big.Int
	for _, key := range routed {
		set.SetBit(&set, o.p.number(key), 1)
		o.Exhausts = o.Exhausts && ir.FoldKey(key) != ir.ExhaustedKey
	}
	var rest []way
	for _, w := range o.ways {
		if w.adapts {
			w.keys = new(big.Int).Or(&set, w.keys)
		} else {
			w.keys = new(big.Int).AndNot(w.keys, &set)
		}
		if w.adapts || w.keys.Sign() != 0 {
			rest = append(rest, w)
		}
	}
	o.ways = rest

	return o
}

// with returns the outcomes with others, which take so many calls more; the sets of the first ones
// may be changed.
func (o Outcomes) with(others Outcomes, calls int) Outcomes {
	if others.Exhausts && (!o.Exhausts || others.atLimit+calls < o.atLimit) {
		o.Exhausts, o.atLimit = true, others.atLimit+calls
	}
	for _, w := range others.ways {
		w.calls += calls
		o.ways = withWay(o.ways, w)
	}

	return o
}

// withWay adds a way, unless another one does all that it does with no more calls.
func withWay(ways []way, w way) []way {
	sort := 0
	var last *way
	for i := range ways {
		known := &ways[i]
		switch {
		case known.covers(w):
			return ways
		case known.adapts != w.adapts:
			continue
		case !w.adapts && known.calls == w.calls:
			known.keys.Or(known.keys, w.keys)
			return ways
		}
		sort++
		last = known
	}
	if sort < maxWays {
		w.keys = new(big.Int).Set(w.keys)
		return append(ways, w)
	}
	if last.calls = min(last.calls, w.calls); w.adapts {
		last.keys.And(last.keys, w.keys)
	} else {
		last.keys.Or(last.keys, w.keys)
	}

	return ways
}

// clone returns outcomes whose sets may be changed.
func (o Outcomes) clone() Outcomes {
	o.ways = ir.Map(o.ways, func(w way) way { return way{w.adapts, new(big.Int).Set(w.keys), w.calls} })

	return o
}

// withKey returns the outcomes with a key that takes so many calls.
func (o Outcomes) withKey(key string, calls int) Outcomes {
	return o.with(Outcomes{ways: []way{{keys: new(big.Int).SetBit(new(big.Int), o.p.number(key), 1)}}}, calls)
}

// within returns the outcomes whose calls a budget allows.
func (o Outcomes) within(b *ir.Budget) Outcomes {
	if b == nil || b.Calls == 0 {
		return o
	}
	o.Exhausts = o.Exhausts && o.atLimit <= b.Calls
	o.ways = slices.DeleteFunc(slices.Clone(o.ways), func(w way) bool { return w.calls > b.Calls })

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
			o.ways = []way{{true, new(big.Int), 1}}
		}
	case *ir.Oneshot:
		o = o.withKey(ir.DoneKey, 1)
	}

	return o
}

// ofFlow adds up what comes out of the runs whose key is the flow's.
func (p *Program) ofFlow(f *ir.Flow) Outcomes {
	least := int(p.costOf(f).ended)
	if least >= never {
		least = 0 // of what is not known
	}
	o := Outcomes{p: p, Exhausts: f.Limited(), atLimit: least}
	done, own := f.Ends()
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
				if s.Place().PassesOn() {
					found[a] = found[a] || found[s.Agent]
				}
			}
		case *ir.Flow:
			_, own := node.Ends()
			for _, run := range own {
				found[a] = found[a] || run.Agent != nil && found[run.Agent.Agent]
			}
		}
	}

	return found
}
