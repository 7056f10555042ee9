package keys

import "github.com/agentc-dev/agentc/gen/ir"

// Outcomes are the keys with which an agent can finish, whatever is legal where it stands:
//
//   - a react agent that declares keys: those. One that does not adapts to its place;
//   - a oneshot: the one key that it has. Where a row had its older name, the front end has made it the newer one;
//   - a machine: the keys of the rows that leave it; and the outcomes of an agent whose key becomes the machine's, which is
//     one in a terminal, one before a marker without a condition, and, but for the keys that a row is certain to take, one
//     before a catch-all that leaves, where signals may put another key in its place. Guards are taken as possible: where those of a key may all fail, the catch-all takes it;
//   - a flow: the key done if it ends with it; and the outcomes of each step and agent whose key becomes the flow's, but for
//     the keys that the flow itself routes;
//   - a workflow: the end states of the machine with which it ends, and the key done where it can end in another way.
//
// An agent that could not be read has no outcomes, nor has the reference that closes a circle of agents.
type Outcomes struct {
	p   *Program
	set bitset
	// Adapts says that it can also finish with any key that is legal where it stands, but for those in kept, which are routed
	// inside of it.
	Adapts bool
	kept   bitset
	// Exhausts says that it finishes with [Exhausted] where that has a row.
	Exhausts bool
}

// Outcomes returns with which keys a can finish; nil has none.
func (p *Program) Outcomes(a *ir.Agent) Outcomes {
	o := p.outcomes[a]
	o.p = p

	return o
}

// Keys returns the outcomes that are known by name, each as it is written first in the program.
func (o Outcomes) Keys() []string {
	var texts []string
	for _, n := range o.set.items() {
		texts = append(texts, o.p.texts[n])
	}

	return texts
}

// Empty reports whether no outcome is known by name.
func (o Outcomes) Empty() bool { return o.set.empty() }

// Has reports whether key is an outcome that is known by name.
func (o Outcomes) Has(key string) bool {
	n, known := o.p.numbers[Fold(key)]

	return known && o.set.has(n)
}

// Can reports whether the agent can finish with key where that has a row.
func (o Outcomes) Can(key string) bool {
	n, known := o.p.numbers[Fold(key)]
	switch {
	case known && o.set.has(n), o.Exhausts && Fold(key) == Exhausted:
		return true
	}

	return o.Adapts && !(known && o.kept.has(n))
}

// Beyond returns the outcomes without those that have a row in s.
func (o Outcomes) Beyond(s *ir.State) Outcomes {
	routed := make([]string, 0, len(s.Rows))
	for _, row := range s.Rows {
		routed = append(routed, row.Key.Value)
	}

	return o.without(routed)
}

// Past returns the outcomes that can come to the catch-all of s: those without a row, and those whose rows all have guards that
// may fail.
func (o Outcomes) Past(s *ir.State) Outcomes {
	var routed, open []string
	for _, row := range s.Rows {
		switch {
		case row.IsCatchAll():
		case row.When == nil || s.Decided(row.Key.Value):
			routed = append(routed, row.Key.Value)
		case o.Can(row.Key.Value):
			open = append(open, row.Key.Value)
		}
	}
	past := o.without(routed)
	for _, key := range open { // an agent that adapts may finish with what has a row here, wherever that is legal
		past = past.withKey(key)
	}

	return past
}

func (o Outcomes) without(routed []string) Outcomes {
	var set bitset
	for _, key := range routed {
		set = set.with(o.p.number(key))
		o.Exhausts = o.Exhausts && Fold(key) != Exhausted
	}
	o.set = o.set.without(set)
	if o.Adapts {
		o.kept = set.union(o.kept)
	}

	return o
}

// with returns the outcomes with others; the sets of the first ones may be changed.
func (o Outcomes) with(others Outcomes) Outcomes {
	o.set = o.set.union(others.set)
	o.Exhausts = o.Exhausts || others.Exhausts
	switch {
	case o.Adapts && others.Adapts:
		o.kept = o.kept.both(others.kept)
	case others.Adapts:
		o.Adapts, o.kept = true, others.kept
	}

	return o
}

func (o Outcomes) withKey(key string) Outcomes {
	o.set = o.set.with(o.p.number(key))

	return o
}

func (p *Program) comesOutOf(a *ir.Agent) Outcomes {
	if p.unknown(a) {
		return Outcomes{p: p}
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		return p.comesOutOfMachine(node)
	case *ir.Flow:
		return p.comesOutOfFlow(node)
	case *ir.Workflow:
		return p.comesOutOfWorkflow(node)
	}

	return p.ofConversation(a.Node)
}

// ofConversation returns the outcomes of a react loop and of a oneshot.
func (p *Program) ofConversation(node ir.Node) Outcomes {
	o := Outcomes{p: p}
	switch node := node.(type) {
	case *ir.React:
		for _, key := range node.Keys {
			o = o.withKey(key.Value)
		}
		o.Adapts = len(node.Keys) == 0
	case *ir.Oneshot:
		o = o.withKey(Done)
	}

	return o
}

// comesOutOfMachine adds up what can come out of the states that can be reached.
func (p *Program) comesOutOfMachine(m *ir.Machine) Outcomes {
	o := Outcomes{p: p}
	for _, s := range p.reached(m) {
		for _, row := range s.Rows {
			if !row.IsCatchAll() && Leaves(row) {
				o = o.withKey(row.Key.Value)
			}
		}
		switch Of(s).Kind {
		case Outer:
			o = o.with(p.Outcomes(s.Agent)).with(p.fired(m, s))
		case Or:
			o = o.with(p.Outcomes(s.Agent).Past(s)).with(p.fired(m, s).Past(s))
		}
	}

	return o
}

// comesOutOfFlow adds up what comes out of the runs whose key becomes the flow's.
func (p *Program) comesOutOfFlow(f *ir.Flow) Outcomes {
	o := Outcomes{p: p, Exhausts: Limited(f)}
	done, own := OfFlow(f)
	if done {
		o = o.withKey(Done)
	}
	for _, run := range own {
		o = o.with(p.OfRun(run))
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
				if kind := Of(s).Kind; kind == Outer || kind == Or {
					found[a] = found[a] || found[s.Agent]
				}
			}
		case *ir.Flow:
			_, own := OfFlow(node)
			for _, run := range own {
				found[a] = found[a] || run.Agent != nil && found[run.Agent.Agent]
			}
		}
	}

	return found
}
