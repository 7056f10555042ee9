package ir

import "slices"

// Firing is a signal that puts a key in the place of the one with which the agent of a state
// finishes.
type Firing struct{ Signal, Key string }

// Fired returns the signals that fire keys in a state of m, in source order, by the rule that
// counts for each of them. In a terminal none does: there are no keys.
func (m *Machine) Fired(s *State) []Firing {
	if s.Terminal() {
		return nil
	}
	best := map[string]*SignalRule{}
	var signals []string
	for _, rule := range m.Live.Signals {
		if len(rule.In) > 0 && !slices.ContainsFunc(rule.In, func(ref Ref) bool { return ref.State == s }) {
			continue
		}
		known := best[rule.On.Value]
		if known == nil {
			signals = append(signals, rule.On.Value)
		}
		if known == nil || rule.Priority > known.Priority {
			best[rule.On.Value] = rule
		}
	}
	var fired []Firing
	for _, signal := range signals {
		if rule := best[signal]; rule.Do == AnswerFire {
			fired = append(fired, Firing{signal, rule.Fire.Value})
		}
	}

	return fired
}
