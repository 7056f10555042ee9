package flow

import (
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
	// set are the keys that are known by name, and cost the calls of models that each takes at
	// least.
	set  bitset
	cost costs
	// legal are the ways to finish with any key that is legal where the agent runs.
	legal []anyLegal
	// Exhausts says that it finishes with [ir.ExhaustedKey] where that has a row.
	Exhausts bool
}

// anyLegal is a way to finish with any legal key but those that are routed inside, and how many
// calls that takes at least.
type anyLegal struct {
	kept  bitset
	calls int
}

// costs are numbers of calls by key: least, or those in more.
type costs struct {
	least int
	more  map[int]int
}

const (
	// maxCosts bounds the keys whose cost is distinguished, and maxLegal the ways to finish with any
	// legal key; beyond them, all cost what the cheapest does.
	maxCosts = 64
	maxLegal = 8
)

func (c costs) of(n int) int {
	if calls, known := c.more[n]; known {
		return calls
	}

	return c.least
}

// Adapts reports whether the agent can finish with keys for no other reason than that they are
// legal where it runs.
func (o Outcomes) Adapts() bool { return len(o.legal) > 0 }

// None reports whether nothing is known to come out.
func (o Outcomes) None() bool { return o.set.empty() && !o.Adapts() && !o.Exhausts }

// Keys returns the outcomes that are known by name, each as it is written first in the program.
func (o Outcomes) Keys() []string {
	return ir.Map(o.set.items(), func(n int) string { return o.p.texts[n] })
}

// Empty reports whether no outcome is known by name.
func (o Outcomes) Empty() bool { return o.set.empty() }

// Has reports whether key is an outcome that is known by name.
func (o Outcomes) Has(key string) bool {
	n, known := o.p.numbers[ir.FoldKey(key)]

	return known && o.set.has(n)
}

// Can reports whether the agent can finish with key where that has a row.
func (o Outcomes) Can(key string) bool {
	_, can := o.callsFor(key)

	return can
}

// callsFor returns how many calls of models it takes at least to finish with a key where that has a
// row.
func (o Outcomes) callsFor(key string) (calls int, can bool) {
	n, known := o.p.numbers[ir.FoldKey(key)]
	note := func(c int) {
		if !can || c < calls {
			calls, can = c, true
		}
	}
	if known && o.set.has(n) {
		note(o.cost.of(n))
	}
	if o.Exhausts && ir.FoldKey(key) == ir.ExhaustedKey {
		note(o.cost.least)
	}
	for _, way := range o.legal {
		if !known || !way.kept.has(n) {
			note(way.calls)
		}
	}

	return calls, can
}

// Calls returns how many calls of models it takes at least to finish.
func (o Outcomes) Calls() int {
	least := -1
	if !o.set.empty() || o.Exhausts {
		least = o.cost.least
	}
	for _, way := range o.legal {
		if least < 0 || way.calls < least {
			least = way.calls
		}
	}

	return max(least, 0)
}

// Beyond returns the outcomes without those that have a row in s.
func (o Outcomes) Beyond(s *ir.State) Outcomes { return o.without(s.Keys()) }

func (o Outcomes) without(routed []string) Outcomes {
	if len(routed) == 0 {
		return o
	}
	var set bitset
	for _, key := range routed {
		set = set.with(o.p.number(key))
		o.Exhausts = o.Exhausts && ir.FoldKey(key) != ir.ExhaustedKey
	}
	o.set = o.set.without(set)
	o.legal = slices.Clone(o.legal)
	for i := range o.legal {
		o.legal[i].kept = slices.Clone(set).union(o.legal[i].kept)
	}
	o.cost = o.cost.among(o.set, o.Exhausts)

	return o
}

// among returns the costs of some of the keys.
func (c costs) among(set bitset, exhausts bool) costs {
	if len(c.more) == 0 || exhausts {
		return c
	}
	cheap := slices.Clone(set)
	rest := costs{more: map[int]int{}}
	for n, calls := range c.more {
		if set.has(n) {
			rest.more[n] = calls
			cheap[n/64] &^= 1 << (n % 64)
		}
	}
	if rest.least = c.least; cheap.empty() {
		rest.least = never
		for _, calls := range rest.more {
			rest.least = min(rest.least, calls)
		}
	}

	return rest.trimmed()
}

// trimmed leaves out what needs no telling.
func (c costs) trimmed() costs {
	for n, calls := range c.more {
		if calls == c.least || len(c.more) > maxCosts {
			delete(c.more, n)
		}
	}

	return c
}

// with returns the outcomes with others, which take so many calls more; the sets of the first ones
// may be changed.
func (o Outcomes) with(others Outcomes, calls int) Outcomes {
	o.cost = o.merged(others, calls)
	o.set = o.set.union(others.set)
	o.Exhausts = o.Exhausts || others.Exhausts
	for _, way := range others.legal {
		way.calls += calls
		o.legal = withLegal(o.legal, way)
	}

	return o
}

// merged are the costs of the keys of o and others.
func (o Outcomes) merged(others Outcomes, calls int) costs {
	ours, theirs := !o.set.empty() || o.Exhausts, !others.set.empty() || others.Exhausts
	switch {
	case !theirs:
		return o.cost
	case !ours && len(others.cost.more) == 0:
		return costs{least: others.cost.least + calls}
	}
	all := costs{least: others.cost.least + calls, more: map[int]int{}}
	if ours {
		all.least = min(all.least, o.cost.least)
	}
	if o.cost.least == others.cost.least+calls && len(o.cost.more) == 0 && len(others.cost.more) == 0 {
		return all
	}
	note := func(n int) {
		least := never
		if o.set.has(n) {
			least = o.cost.of(n)
		}
		if others.set.has(n) {
			least = min(least, others.cost.of(n)+calls)
		}
		if least > all.least {
			all.more[n] = least
		}
	}
	for _, set := range []bitset{o.set, others.set} {
		for _, n := range set.first(maxCosts) {
			note(n)
		}
	}

	return all.trimmed()
}

// withLegal adds a way, unless another one does all that it does with no more calls.
func withLegal(ways []anyLegal, way anyLegal) []anyLegal {
	for _, known := range ways {
		if known.calls <= way.calls && known.kept.without(way.kept).empty() {
			return ways
		}
	}
	if len(ways) < maxLegal {
		return append(ways, way)
	}
	last := &ways[maxLegal-1]
	last.kept, last.calls = last.kept.both(way.kept), min(last.calls, way.calls)

	return ways
}

// clone returns outcomes whose sets may be changed.
func (o Outcomes) clone() Outcomes {
	o.set, o.legal = slices.Clone(o.set), slices.Clone(o.legal)

	return o
}

// withKey returns the outcomes with a key that takes so many calls.
func (o Outcomes) withKey(key string, calls int) Outcomes {
	return o.with(Outcomes{set: bitset(nil).with(o.p.number(key))}, calls)
}

// within returns the outcomes whose calls a budget allows.
func (o Outcomes) within(b *ir.Budget) Outcomes {
	if b == nil || b.Calls == 0 {
		return o
	}
	var dear bitset
	for _, n := range o.set.first(maxCosts) {
		if o.cost.of(n) > b.Calls {
			dear = dear.with(n)
		}
	}
	if o.cost.least > b.Calls {
		dear, o.Exhausts = o.set, false
	}
	o.set = o.set.without(dear)
	o.legal = slices.DeleteFunc(slices.Clone(o.legal), func(way anyLegal) bool { return way.calls > b.Calls })
	o.cost = o.cost.among(o.set, o.Exhausts)

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
			o.legal = []anyLegal{{calls: 1}}
		}
	case *ir.Oneshot:
		o = o.withKey(ir.DoneKey, 1)
	}

	return o
}

// ofFlow adds up what comes out of the runs whose key is the flow's.
func (p *Program) ofFlow(f *ir.Flow) Outcomes {
	o := Outcomes{p: p, Exhausts: f.Limited()}
	least := int(p.costOf(f).ended)
	if least >= never {
		least = 0 // of what is not known
	}
	o.cost.least = least
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
func (p *Program) OfRun(run *ir.Run) Outcomes {
	if run.Step != nil {
		return p.ofConversation(run.Step.Node).without(run.At.Keys)
	}

	return p.Outcomes(run.Agent.Agent).without(run.At.Keys)
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
