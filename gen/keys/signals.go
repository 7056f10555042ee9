package keys

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
)

// Firing is a signal that puts a key in the place of the one with which the agent of a state finishes.
type Firing struct{ Signal, Key string }

// Fired returns the signals that fire keys in a state of m, in source order, by the rule that counts for each of them. In a terminal
// none does: there are no keys.
func Fired(m *ir.Machine, s *ir.State) []Firing {
	if s.Terminal() {
		return nil
	}
	best := map[string]*ir.SignalRule{}
	var signals []string
	for _, rule := range m.Live.Signals {
		if len(rule.In) > 0 && !slices.ContainsFunc(rule.In, func(ref ir.Ref) bool { return ref.State == s }) {
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
		if rule := best[signal]; rule.Do == ir.AnswerFire {
			fired = append(fired, Firing{signal, rule.Fire.Value})
		}
	}

	return fired
}

// fired returns the keys that signals put in the place of those with which the agent of a state finishes.
func (p *Program) fired(m *ir.Machine, s *ir.State) Outcomes {
	o := Outcomes{p: p}
	for _, fired := range Fired(m, s) {
		o = o.withKey(fired.Key)
	}

	return o
}
