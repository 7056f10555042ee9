package ir

import "slices"

// FinalKeys returns the keys with which a run of the agent can finish, as its source and that of the agents in it name them:
// each once, in the order of the source, whether or not a run reaches it. known is false where there may be others, because a
// model chooses the text.
func (a *Agent) FinalKeys() (keys []Text, known bool) {
	s := &keySearch{open: map[*Agent]bool{}}
	keys, known = s.ofAgent(a)

	return uniqueKeys(keys), known
}

// TypedKeys returns the final keys for which generated code has constants: all, where they are known and there are several or
// the agent declares them; none otherwise.
func (a *Agent) TypedKeys() []Text {
	react, isReact := a.Node.(*React)
	declares := isReact && react != nil && len(react.Keys) > 0
	keys, known := a.FinalKeys()
	if !known || len(keys) < 2 && !declares {
		return nil
	}

	return keys
}

// keySearch finds final keys. open are the agents that are being looked at: agents that contain each other are a mistake.
type keySearch struct{ open map[*Agent]bool }

func (s *keySearch) ofAgent(a *Agent) (keys []Text, known bool) {
	if a == nil || s.open[a] {
		return nil, false
	}
	s.open[a] = true
	defer delete(s.open, a)

	switch node := a.Node.(type) {
	case *React, *Oneshot:
		return ofConversation(node, a.Name)
	case *Machine:
		if node != nil && !node.External {
			return s.ofMachine(node)
		}
	case *Flow:
		return s.ofFlow(a, node)
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
func (s *keySearch) ofMachine(m *Machine) (keys []Text, known bool) {
	for _, state := range m.States {
		for _, row := range state.Rows {
			if !row.IsCatchAll() && row.Leaves() {
				keys = append(keys, row.Key)
			}
		}
		if state.Agent == nil || !state.Place().PassesOn() {
			continue
		}
		own, ownKnown := s.ofAgent(state.Agent)
		if !ownKnown {
			return nil, false
		}
		keys = append(keys, withoutKeys(own, state.Place().Keys)...)
	}

	return keys, true
}

// ofFlow adds up the keys of the runs whose key is the flow's.
func (s *keySearch) ofFlow(a *Agent, f *Flow) (keys []Text, known bool) {
	done, runs := f.Ends()
	if done {
		keys = append(keys, Text{Value: DoneKey, Span: a.Name.Span})
	}
	for _, run := range runs {
		own, ownKnown := s.ofRun(run)
		if !ownKnown {
			return nil, false
		}
		keys = append(keys, withoutKeys(own, run.At.Keys)...)
	}

	return keys, true
}

func (s *keySearch) ofRun(run *Run) (keys []Text, known bool) {
	switch {
	case run.Step != nil:
		return ofConversation(run.Step.Node, run.Step.Name)
	case run.Agent != nil:
		return s.ofAgent(run.Agent.Agent)
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
