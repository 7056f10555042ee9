package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Outcomes are the keys with which an agent can finish within its bounds, whatever is legal at its
// place:
//
// - a react agent: its declared keys, or any legal key without declared ones;
// - a oneshot: its only key;
// - a machine: the keys of rows that can be taken and end it, and the outcomes of agents whose key
// is the machine's, in a terminal, before a marker without a condition, and before a catch-all that
// ends it, except keys that a row is certain to take. Signals may replace the key of an agent;
// - a flow: the key done if it ends with it, and the outcomes of each step and agent whose key is
// the flow's, except keys that the flow itself routes;
// - a workflow: the end states of its last machine, and the key done if it can end in another way.
//
// An agent that could not be read has no outcomes, nor has one that cannot end, nor the reference
// that closes a circle of agents.
type Outcomes struct {
	p *Program
	// keyCosts are the keys that are known by name, by the fewest calls of models before them.
	keyCosts []keyCost
	// routedKeys, unless it is nil, means that the agent finishes with any legal key except these,
	// which are routed inside, after adaptingCalls calls.
	routedKeys    *big.Int
	adaptingCalls int
	// Exhausts is set if it finishes with [ir.ExhaustedKey] where that has a row, after limitCalls
	// calls.
	Exhausts   bool
	limitCalls int
	// alwaysExhausts is set if it finishes with nothing else where that has a row, because no run
	// ends before the limit. Elsewhere it finishes with the keys that are known by name.
	alwaysExhausts bool
}

// keyCost is a set of keys, whose numbers are the bits, with their fewest calls of models.
type keyCost struct {
	keys  *big.Int
	calls int
}

// maxKeyCosts bounds the key costs. Further keys have the cost of cheaper ones.
const maxKeyCosts = 8

// Adapts reports whether the agent can finish with any legal key of its place.
func (o Outcomes) Adapts() bool { return o.routedKeys != nil }

// IsNone reports whether there are no known outcomes.
func (o Outcomes) IsNone() bool { return o.HasNoKeys() && !o.Adapts() && !o.Exhausts }

// HasNoKeys reports whether no outcome is known by name.
func (o Outcomes) HasNoKeys() bool { return len(o.keyCosts) == 0 }

// Keys returns the outcomes that are known by name, each as first written in the program.
func (o Outcomes) Keys() []string {
	var all big.Int
	for _, w := range o.keyCosts {
		all.Or(&all, w.keys)
	}

	return o.p.keyTexts(&all)
}

// keyTexts returns the keys of a set, each as first written in the program.
func (p *Program) keyTexts(set *big.Int) (keys []string) {
	for n := range set.BitLen() {
		if set.Bit(n) == 1 {
			keys = append(keys, p.texts[n])
		}
	}

	return keys
}

// HasKey reports whether key is an outcome that is known by name.
func (o Outcomes) HasKey(key string) bool {
	n := o.p.findKey(key)

	return n >= 0 && slices.ContainsFunc(o.keyCosts, func(w keyCost) bool { return w.keys.Bit(n) == 1 })
}

// CanFinishWith reports whether the agent can finish with key where that has a row.
func (o Outcomes) CanFinishWith(key string) bool {
	_, can := o.callsFor(key)

	return can
}

// callsFor returns the fewest calls of models to finish with a key where that has a row.
func (o Outcomes) callsFor(key string) (calls int, can bool) {
	n := o.p.findKey(key)
	if o.Exhausts && ir.FoldKey(key) == ir.ExhaustedKey {
		calls, can = o.limitCalls, true
	}
	for _, w := range o.keyCosts {
		if n >= 0 && w.keys.Bit(n) == 1 && (!can || w.calls < calls) {
			calls, can = w.calls, true
		}
	}
	adaptsTo := o.Adapts() && (n < 0 || o.routedKeys.Bit(n) == 0)
	if adaptsTo && (!can || o.adaptingCalls < calls) {
		calls, can = o.adaptingCalls, true
	}

	return calls, can
}

// Calls returns the fewest calls of models to finish.
func (o Outcomes) Calls() int {
	if o.IsNone() {
		return 0
	}
	all := ir.Map(o.keyCosts, func(w keyCost) int { return w.calls })
	if o.Exhausts {
		all = append(all, o.limitCalls)
	}
	if o.Adapts() {
		all = append(all, o.adaptingCalls)
	}

	return slices.Min(all)
}

// OutcomesIn returns with which keys the agent of a state can finish there.
func (p *Program) OutcomesIn(s *ir.State) Outcomes {
	out := p.Outcomes(s.Agent)
	if slices.ContainsFunc(s.Rows, isExhausted) {
		return out.whereLimitHasRow()
	}
	out.Exhausts = out.Exhausts && s.Place().PassesKeyOn()

	return out
}

// whereLimitHasRow returns the outcomes where [ir.ExhaustedKey] has a row.
func (o Outcomes) whereLimitHasRow() Outcomes {
	if o.alwaysExhausts {
		o.keyCosts = nil
	}

	return o
}

// Unrouted returns the outcomes without a row in s.
func (o Outcomes) Unrouted(s *ir.State) Outcomes { return o.withoutKeys(s.Keys()) }

func (o Outcomes) withoutKeys(routed []string) Outcomes {
	if len(routed) == 0 {
		return o
	}
	o = o.clone()
	var set big.Int
	for _, key := range routed {
		set.SetBit(&set, o.p.keyNumber(key), 1)
		o.Exhausts = o.Exhausts && ir.FoldKey(key) != ir.ExhaustedKey
	}
	for _, w := range o.keyCosts {
		w.keys.AndNot(w.keys, &set)
	}
	o.keyCosts = slices.DeleteFunc(o.keyCosts, func(w keyCost) bool { return w.keys.Sign() == 0 })
	if o.Adapts() {
		o.routedKeys.Or(o.routedKeys, &set)
	}

	return o
}

// merge returns the outcomes with others that take some more calls.
func (o Outcomes) merge(others Outcomes, calls int) Outcomes {
	switch {
	case others.IsNone():
		return o
	case o.IsNone() && calls == 0:
		others.p = o.p
		return others
	}
	o = o.clone()
	o.alwaysExhausts = others.alwaysExhausts && (o.alwaysExhausts || o.IsNone())
	if others.Exhausts && (!o.Exhausts || others.limitCalls+calls < o.limitCalls) {
		o.Exhausts, o.limitCalls = true, others.limitCalls+calls
	}
	for _, w := range others.keyCosts {
		o.keyCosts = addKeyCost(o.keyCosts, keyCost{w.keys, w.calls + calls})
	}
	switch {
	case !others.Adapts():
	case !o.Adapts():
		o.routedKeys, o.adaptingCalls = new(big.Int).Set(others.routedKeys), others.adaptingCalls+calls
	default:
		o.routedKeys.And(o.routedKeys, others.routedKeys)
		o.adaptingCalls = min(o.adaptingCalls, others.adaptingCalls+calls)
	}

	return o
}

// addKeyCost adds a key cost to others. It changes their sets.
func addKeyCost(ways []keyCost, w keyCost) []keyCost {
	for _, known := range ways {
		switch {
		case known.calls == w.calls:
			known.keys.Or(known.keys, w.keys)
			return ways
		case known.calls < w.calls && new(big.Int).AndNot(w.keys, known.keys).Sign() == 0:
			return ways
		}
	}
	if len(ways) < maxKeyCosts {
		return append(ways, keyCost{new(big.Int).Set(w.keys), w.calls})
	}
	last := &ways[len(ways)-1]
	last.keys.Or(last.keys, w.keys)
	last.calls = min(last.calls, w.calls)

	return ways
}

// clone returns a copy of the outcomes that may be changed.
func (o Outcomes) clone() Outcomes {
	o.keyCosts = ir.Map(o.keyCosts, func(w keyCost) keyCost { return keyCost{new(big.Int).Set(w.keys), w.calls} })
	if o.Adapts() {
		o.routedKeys = new(big.Int).Set(o.routedKeys)
	}

	return o
}

// withKey returns the outcomes with a key that takes some calls.
func (o Outcomes) withKey(key string, calls int) Outcomes {
	return o.merge(Outcomes{keyCosts: []keyCost{{new(big.Int).SetBit(new(big.Int), o.p.keyNumber(key), 1), 0}}}, calls)
}

// withinBudget returns the outcomes whose calls a budget permits.
func (o Outcomes) withinBudget(b *ir.Budget) Outcomes {
	if b == nil || b.Calls == 0 {
		return o
	}
	o.Exhausts = o.Exhausts && o.limitCalls <= b.Calls
	o.keyCosts = slices.DeleteFunc(slices.Clone(o.keyCosts), func(w keyCost) bool { return w.calls > b.Calls })
	if o.adaptingCalls > b.Calls {
		o.routedKeys = nil
	}

	return o
}

// conversationOutcomes returns the outcomes of a react loop or a oneshot.
func (p *Program) conversationOutcomes(node ir.Node) Outcomes {
	o := Outcomes{p: p}
	switch node := node.(type) {
	case *ir.React:
		for _, key := range node.Keys {
			o = o.withKey(key.Value, 1)
		}
		if len(node.Keys) == 0 {
			o.routedKeys, o.adaptingCalls = new(big.Int), 1
		}
	case *ir.Oneshot:
		o = o.withKey(ir.DoneKey, 1)
	}

	return o
}

// flowOutcomes returns the outcomes of the runs whose key is the flow's.
func (p *Program) flowOutcomes(f *ir.Flow) Outcomes {
	least := int(p.callsToReturn(f, func(*ir.Return) bool { return true }))
	if least >= impossible {
		least = 0 // it is not known
	}
	o := Outcomes{p: p, Exhausts: f.HasLimitKey(), limitCalls: least}
	done, own := f.FinishKeys()
	if done {
		o = o.withKey(ir.DoneKey, least)
	}
	for _, run := range own {
		out := p.RunOutcomes(run)
		o = o.merge(out, max(0, least-out.Calls()))
	}
	o.alwaysExhausts = o.Exhausts && p.callsToReturn(f, isBeforeLimit) >= impossible

	return o
}

// isBeforeLimit reports whether a flow returns without having reached its limit.
func isBeforeLimit(r *ir.Return) bool { return r.Key == ir.KeyDone || r.Key == ir.KeyOwn }

// RunOutcomes returns with which keys a run can finish, except keys that the surrounding flow
// routes.
func (p *Program) RunOutcomes(run *ir.Run) Outcomes {
	return p.stepOutcomes(run).withoutKeys(run.At.Keys)
}

// stepOutcomes returns with which keys a step or an agent can finish.
func (p *Program) stepOutcomes(run *ir.Run) Outcomes {
	if run.Step != nil {
		return p.conversationOutcomes(run.Step.Node)
	}

	return p.Outcomes(run.Agent.Agent)
}

// AgentsPassingOn returns the agents for which is holds, and the agents that may pass on the key of
// one.
func (p *Program) AgentsPassingOn(is func(*ir.Agent) bool) map[*ir.Agent]bool {
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
