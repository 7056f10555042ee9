package ir

import "slices"

// FinalKeys holds the keys with which runs of agents can finish. It does not change after
// [FinalKeysOf] returned it.
type FinalKeys struct{ byAgent map[*Agent]finalKeys }

// finalKeys are the final keys of one agent, each once, in source order. isKnown is false if there
// may be others.
type finalKeys struct {
	keys    []Text
	isKnown bool
}

// FinalKeysOf finds the final keys of agents and of the agents that they contain. An agent can
// finish with the keys of other agents, so it visits those first. The search has an explicit stack,
// because agents may be nested deeply.
func FinalKeysOf(agents ...*Agent) *FinalKeys {
	f := &FinalKeys{byAgent: map[*Agent]finalKeys{}}
	stack := Where(agents, func(a *Agent) bool { return a != nil })
	opened := map[*Agent]bool{}
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		if !opened[a] {
			opened[a] = true
			stack = append(stack, Where(keySources(a), func(giver *Agent) bool { return !opened[giver] })...)
			continue
		}
		stack = stack[:len(stack)-1]
		_, isFound := f.byAgent[a]
		if !isFound {
			keys, isKnown := f.findKeys(a)
			f.byAgent[a] = finalKeys{uniqueKeys(keys), isKnown}
		}
	}

	return f
}

// Of returns the keys with which a run of the agent can finish, as the source names them: each
// once, in source order, whether or not a run reaches it. known is false if there may be other
// keys, because a model chooses the text or because agents contain each other, which is a mistake.
func (f *FinalKeys) Of(a *Agent) (keys []Text, known bool) {
	own := f.byAgent[a]

	return own.keys, own.isKnown
}

// TypedKeys returns the final keys for which generated code has constants: all keys, if they are
// known and there are several or the agent declares them, otherwise nil.
func (f *FinalKeys) TypedKeys(a *Agent) []Text {
	react, isReact := a.Node.(*React)
	declares := isReact && react != nil && len(react.Keys) > 0
	keys, known := f.Of(a)
	if !known || len(keys) < 2 && !declares {
		return nil
	}

	return keys
}

// keySources returns the agents whose final keys can be final keys of the agent.
func keySources(a *Agent) (sources []*Agent) {
	switch node := a.Node.(type) {
	case *Machine:
		if node == nil || node.External {
			return nil
		}
		for _, state := range node.States {
			if state.Agent != nil && state.Place().PassesKeyOn() {
				sources = append(sources, state.Agent)
			}
		}
	case *Flow:
		if !node.IsWorkflow() {
			_, runs := node.FinishKeys()
			for _, run := range runs {
				if run.Step == nil && run.Agent != nil && run.Agent.Agent != nil {
					sources = append(sources, run.Agent.Agent)
				}
			}
		}
	}

	return sources
}

// findKeys returns the final keys of an agent. The keys of its sources are already found, except of
// agents that contain each other: their keys are not known.
func (f *FinalKeys) findKeys(a *Agent) (keys []Text, known bool) {
	switch node := a.Node.(type) {
	case *React, *Oneshot:
		return conversationKeys(node, a.Name)
	case *Machine:
		if node != nil && !node.External {
			return f.machineKeys(node)
		}
	case *Flow:
		if !node.IsWorkflow() {
			return f.flowKeys(a, node)
		}
	}

	return nil, false
}

// conversationKeys returns the keys of a conversation. at is the position of its name.
func conversationKeys(node Node, at Text) (keys []Text, known bool) {
	switch node := node.(type) {
	case *React:
		return node.Keys, len(node.Keys) > 0
	case *Oneshot:
		return []Text{{Value: DoneKey, Span: at.Span}}, true
	}

	return nil, false
}

// machineKeys returns the keys of rows that end the machine, and the keys that agents pass on to
// it.
func (f *FinalKeys) machineKeys(m *Machine) (keys []Text, known bool) {
	for _, state := range m.States {
		for _, row := range state.Rows {
			if !row.IsCatchAll() && row.EndsMachine() {
				keys = append(keys, row.Key)
			}
		}
		if state.Agent == nil || !state.Place().PassesKeyOn() {
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

// flowKeys returns the keys that runs pass on to the flow.
func (f *FinalKeys) flowKeys(a *Agent, flow *Flow) (keys []Text, known bool) {
	done, runs := flow.FinishKeys()
	if done {
		keys = append(keys, Text{Value: DoneKey, Span: a.Name.Span})
	}
	for _, run := range runs {
		own, ownKnown := f.runKeys(run)
		if !ownKnown {
			return nil, false
		}
		keys = append(keys, withoutKeys(own, run.At.Keys)...)
	}

	return keys, true
}

func (f *FinalKeys) runKeys(run *Run) (keys []Text, known bool) {
	switch {
	case run.Step != nil:
		return conversationKeys(run.Step.Node, run.Step.Name)
	case run.Agent != nil:
		return f.Of(run.Agent.Agent)
	}

	return nil, false
}

// withoutKeys returns keys without the routed ones.
func withoutKeys(keys []Text, routed []string) []Text {
	folded := SetOf(Map(routed, FoldKey))

	return Where(keys, func(key Text) bool { return !folded[FoldKey(key.Value)] })
}

// uniqueKeys returns each key once, at its first position. Keys are compared in their folded form.
func uniqueKeys(keys []Text) []Text {
	seen := map[string]bool{}

	return slices.DeleteFunc(slices.Clone(keys), func(key Text) bool {
		known := seen[FoldKey(key.Value)]
		seen[FoldKey(key.Value)] = true

		return known
	})
}
