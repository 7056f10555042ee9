package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/source"
)

// outcomes are the keys with which each agent can finish, whatever is legal where it stands:
//
//   - a react agent that declares keys: those. One that does not adapts to its place and adds nothing of its own;
//   - a oneshot: the one key that it has. Where a row had its older name, the front end has made it the newer one;
//   - a machine: the keys of the rows that leave it; and the outcomes of an agent whose key becomes the machine's, which is
//     one in a terminal, one before a marker without a condition, and, but for the keys that have a row, one before a
//     catch-all that leaves.
//
// Keys are compared trimmed and lower-cased. An agent that could not be read has no outcomes, nor has the reference that
// closes a circle of agents: too few outcomes hide a finding, too many would invent one.
type outcomes struct {
	// ids number the keys; texts are how each was written first.
	ids   map[string]int
	texts []string
	sets  map[*ir.Agent]bitset
	// adapts are the agents that can finish with any key that is legal where they stand.
	adapts map[*ir.Agent]bool
}

func newOutcomes(u *unit) *outcomes {
	o := &outcomes{
		ids: map[string]int{}, sets: map[*ir.Agent]bitset{}, adapts: map[*ir.Agent]bool{},
	}
	parts := map[*ir.Agent]*machine{}
	for _, x := range u.machines {
		parts[x.agent] = x
	}
	walkContained(u.program.Agents, func([]contained) {}, func(a *ir.Agent) {
		if u.faulty[a.PatternAt.Span] {
			return // what kind of agent it is, is a guess
		}
		switch node := a.Node.(type) {
		case *ir.React:
			o.react(a, node)
		case *ir.Oneshot:
			o.sets[a] = bitset{}.with(o.id(keys.Done))
		case *ir.Machine:
			if x := parts[a]; x != nil && !x.External {
				o.machine(x)
			}
		}
	})

	return o
}

func (o *outcomes) id(key string) int {
	fold := keys.Fold(key)
	id, known := o.ids[fold]
	if !known {
		id = len(o.texts)
		o.ids[fold] = id
		o.texts = append(o.texts, key)
	}

	return id
}

func (o *outcomes) react(a *ir.Agent, react *ir.React) {
	if react == nil {
		return
	}
	var set bitset
	for _, key := range react.Keys {
		set = set.with(o.id(key.Value))
	}
	o.sets[a] = set
	o.adapts[a] = len(react.Keys) == 0
}

// machine adds up what can come out of the states that can be reached.
func (o *outcomes) machine(x *machine) {
	var set bitset
	seen := x.reachable()
	for i, s := range x.States {
		if !seen[i] {
			continue
		}
		for _, row := range s.Rows {
			if !row.IsCatchAll() && keys.Leaves(row) {
				set = set.with(o.id(row.Key.Value))
			}
		}
		if s.Agent == nil {
			continue
		}
		switch keys.Of(s).Kind {
		case keys.Outer:
			set = set.union(o.sets[s.Agent])
			o.adapts[x.agent] = o.adapts[x.agent] || o.adapts[s.Agent]
		case keys.Or:
			set = set.union(o.beyondRows(s))
			o.adapts[x.agent] = o.adapts[x.agent] || o.adapts[s.Agent]
		}
	}
	o.sets[x.agent] = set
}

// unrouted returns the outcomes of the agent of s that have no row in s.
func (o *outcomes) unrouted(s *ir.State) []int {
	if o.sets[s.Agent].empty() {
		return nil
	}

	return o.beyondRows(s).items()
}

// beyondRows returns the outcomes of the agent of s without those that have a row.
func (o *outcomes) beyondRows(s *ir.State) bitset {
	var routed bitset
	for _, row := range s.Rows {
		routed = routed.with(o.id(row.Key.Value))
	}

	return o.sets[s.Agent].without(routed)
}

// origin is where an outcome comes from.
type origin struct {
	at source.Span
	// key is the outcome as it is written there.
	key string
	// says is a sentence about it.
	says string
}

// origin returns from where agent a has the outcome key.
func (o *outcomes) origin(a *ir.Agent, key int) origin {
	for seen := map[*ir.Agent]bool{}; a != nil && !seen[a]; {
		seen[a] = true
		switch node := a.Node.(type) {
		case *ir.React:
			for _, k := range node.Keys {
				if o.id(k.Value) == key {
					return origin{k.Span, k.Value, fmt.Sprintf("agent %q declares the key %q", a.Name.Value, k.Value)}
				}
			}
		case *ir.Oneshot:
			at := a.PatternAt.Span
			if !at.IsValid() {
				at = a.Name.Span
			}
			return origin{at, keys.Done, fmt.Sprintf("agent %q is a oneshot, which always finishes with %q", a.Name.Value, keys.Done)}
		case *ir.Machine:
			row, inner := o.originIn(node, key)
			if row != nil {
				return origin{row.Key.Span, row.Key.Value, fmt.Sprintf("machine %q ends with %q here", a.Name.Value, row.Key.Value)}
			}
			a = inner
			continue
		}
		break
	}

	return origin{key: o.texts[key], says: fmt.Sprintf("%q comes from inside", o.texts[key])}
}

// originIn returns the row that leaves m with the outcome key, or the agent in m that has it and whose key becomes m's.
func (o *outcomes) originIn(m *ir.Machine, key int) (*ir.Row, *ir.Agent) {
	for _, s := range m.States {
		for _, row := range s.Rows {
			if !row.IsCatchAll() && keys.Leaves(row) && o.id(row.Key.Value) == key {
				return row, nil
			}
		}
		if s.Agent == nil || !o.sets[s.Agent].has(key) {
			continue
		}
		switch keys.Of(s).Kind {
		case keys.Outer:
			return nil, s.Agent
		case keys.Or:
			if o.beyondRows(s).has(key) {
				return nil, s.Agent
			}
		}
	}

	return nil, nil
}
