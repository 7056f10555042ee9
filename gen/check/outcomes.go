package check

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// outcomes are the keys with which each agent can finish, whatever is legal where it stands:
//
//   - a react agent that declares keys: those. One that does not adapts to its place and adds nothing of its own;
//   - a oneshot: the one key that it has. Where a row had its older name, the front end has made it the newer one;
//   - a machine: the keys of the rows that leave it; and the outcomes of an agent whose key becomes the machine's, which is
//     one in a terminal, one before a marker without a condition, and, but for the keys that have a row, one before a
//     catch-all that leaves;
//   - a flow: the key done if it ends with it; and the outcomes of each step and agent whose key becomes the flow's, but for
//     the keys that the flow itself routes. That its limit is reached is no outcome: it has a key only where that is routed.
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
		case *ir.Machine:
			if x := parts[a]; x != nil && !x.External {
				o.machine(x)
			}
		case *ir.Flow:
			if !node.Partial {
				o.flow(a, node)
			}
		default:
			o.sets[a], o.adapts[a] = o.ofConversation(node)
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

// ofConversation returns the outcomes of a react loop and of a oneshot.
func (o *outcomes) ofConversation(node ir.Node) (set bitset, adapts bool) {
	switch node := node.(type) {
	case *ir.React:
		for _, key := range node.Keys {
			set = set.with(o.id(key.Value))
		}
		return set, len(node.Keys) == 0
	case *ir.Oneshot:
		return set.with(o.id(keys.Done)), false
	}

	return nil, false
}

// flow adds up what comes out of the runs whose key becomes the flow's.
func (o *outcomes) flow(a *ir.Agent, f *ir.Flow) {
	var set bitset
	done, own := keys.OfFlow(f)
	if done {
		set = set.with(o.id(keys.Done))
	}
	for _, run := range own {
		outcomes, adapts := o.ofRun(run)
		set = set.union(outcomes)
		o.adapts[a] = o.adapts[a] || adapts
	}
	o.sets[a] = set
}

// ofRun returns the outcomes of what runs without the keys that the flow around it routes.
func (o *outcomes) ofRun(run *ir.Run) (set bitset, adapts bool) {
	if run.Step != nil {
		set, adapts = o.ofConversation(run.Step.Node)
	} else {
		set, adapts = o.sets[run.Agent.Agent], o.adapts[run.Agent.Agent]
	}
	var routed bitset
	for _, key := range run.At.Keys {
		routed = routed.with(o.id(key))
	}

	return set.without(routed), adapts
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
