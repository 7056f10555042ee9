package ir

import "slices"

// FinalKeys has the keys with which runs of agents can finish. It is not changed after [FinalKeysOf] returned it.
type FinalKeys struct{ byAgent map[*Agent]finalKeys }

// finalKeys are the final keys of one agent, each once, in the order of the source. isKnown is false where there may be others.
type finalKeys struct {
	keys    []Text
	isKnown bool
}

// FinalKeysOf finds the final keys of the agents and of the agents in them. An agent's keys come from the agents whose key is
// its own, so these are looked at first. The search has a stack of its own, because agents may be nested as deep as they are many.
func FinalKeysOf(agents ...*Agent) *FinalKeys {
	f := &FinalKeys{byAgent: map[*Agent]finalKeys{}}
	stack := Where(agents, func(a *Agent) bool { return a != nil })
	opened := map[*Agent]bool{}
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		if !opened[a] {
			opened[a] = true
			stack = append(stack, Where(keyGivers(a), func(giver *Agent) bool { return !opened[giver] })...)
			continue
		}
		stack = stack[:len(stack)-1]
		_, isFound := f.byAgent[a]
		if !isFound {
			keys, isKnown := f.find(a)
			f.byAgent[a] = finalKeys{uniqueKeys(keys), isKnown}
		}
	}

	return f
}

// Of returns the keys with which a run of the agent can finish, as its source and that of the agents in it name them: each once,
// in the order of the source, whether or not a run reaches it. known is false where there may be others, because a model chooses
// the text, or because agents contain each other, which is a mistake.
func (f *FinalKeys) Of(a *Agent) (keys []Text, known bool) {
	own := f.byAgent[a]

	return own.keys, own.isKnown
}

// Typed returns the final keys for which generated code has constants: all, where they are known and there are several or the
// agent declares them; none otherwise.
func (f *FinalKeys) Typed(a *Agent) []Text {
	react, isReact := a.Node.(*React)
	declares := isReact && react != nil && len(react.Keys) > 0
	keys, known := f.Of(a)
	if !known || len(keys) < 2 && !declares {
		return nil
	}

	return keys
}

// keyGivers returns the agents whose final keys can be those of the agent.
func keyGivers(a *Agent) (givers []*Agent) {
	switch node := a.Node.(type) {
	case *Machine:
		if node == nil || node.External {
			return nil
		}
		for _, state := range node.States {
			if state.Agent != nil && state.Place().PassesOn() {
				givers = append(givers, state.Agent)
			}
		}
	case *Flow:
		if !node.IsWorkflow() {
			_, runs := node.Ends()
			for _, run := range runs {
				if run.Step == nil && run.Agent != nil && run.Agent.Agent != nil {
					givers = append(givers, run.Agent.Agent)
				}
			}
		}
	}

	return givers
}

// find returns the final keys of an agent. Those of its givers are found, except of agents that contain each other: their keys are
// not known.
func (f *FinalKeys) find(a *Agent) (keys []Text, known bool) {
	switch node := a.Node.(type) {
	case *React, *Oneshot:
		return ofConversation(node, a.Name)
	case *Machine:
		if node != nil && !node.External {
			return f.ofMachine(node)
		}
	case *Flow:
		if !node.IsWorkflow() {
			return f.ofFlow(a, node)
		}
	}

	return nil, false
}

// ofConversation returns the keys of a conversation that is at the name.
func ofConversation(node Node, at Text) (keys []Text, known bool) {
	switch node := node.(type) {
	case *React:
		return node.Keys, len(node.Keys) > 0
	case *Oneshot:
		return []Text{{Value: DoneKey, Span: at.Span}}, true
	}

	return nil, false
}

// ofMachine adds up the keys of rows that leave the machine, and those of the agents whose key is the machine's.
func (f *FinalKeys) ofMachine(m *Machine) (keys []Text, known bool) {
	for _, state := range m.States {
		for _, row := range state.Rows {
			if !row.IsCatchAll() && row.Leaves() {
				keys = append(keys, row.Key)
			}
		}
		if state.Agent == nil || !state.Place().PassesOn() {
			continue
		}
		own, ownKnown := f.Of(state.Agent)
		if !ownKnown {
			return nil, false
		}
		keys = append(keys, withoutKeys(own, state.Place().Keys)...)
	}

	return keys, true
}

// ofFlow adds up the keys of the runs whose key is the flow's.
func (f *FinalKeys) ofFlow(a *Agent, flow *Flow) (keys []Text, known bool) {
	done, runs := flow.Ends()
	if done {
		keys = append(keys, Text{Value: DoneKey, Span: a.Name.Span})
	}
	for _, run := range runs {
		own, ownKnown := f.ofRun(run)
		if !ownKnown {
			return nil, false
		}
		keys = append(keys, withoutKeys(own, run.At.Keys)...)
	}

	return keys, true
}

func (f *FinalKeys) ofRun(run *Run) (keys []Text, known bool) {
	switch {
	case run.Step != nil:
		return ofConversation(run.Step.Node, run.Step.Name)
	case run.Agent != nil:
		return f.Of(run.Agent.Agent)
	}

	return nil, false
}

// withoutKeys returns keys without those that are routed.
func withoutKeys(keys []Text, routed []string) []Text {
	folded := SetOf(Map(routed, FoldKey))

	return Where(keys, func(key Text) bool { return !folded[FoldKey(key.Value)] })
}

// uniqueKeys returns each key once, where it is first. Keys that are equal when they are folded are one.
func uniqueKeys(keys []Text) []Text {
	seen := map[string]bool{}

	return slices.DeleteFunc(slices.Clone(keys), func(key Text) bool {
		known := seen[FoldKey(key.Value)]
		seen[FoldKey(key.Value)] = true

		return known
	})
}
