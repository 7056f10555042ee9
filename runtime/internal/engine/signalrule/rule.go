// Package signalrule finds the rule that decides about a signal; package signals defines both.
package signalrule

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// StopReason returns, as the Reason of a [runtime.CancelledError], which signal stopped a machine, and in which
// state.
func StopReason(r *signals.Ruling, machine, state string) string {
	return "signal " + wording.Quote(r.Signal.Kind) + " (" + string(r.Answer) + ") in state " + wording.Quote(state) +
		" of machine " + wording.Quote(machine)
}

// GuardName is the name with which a running machine asks its engine for signals; no guard of a file can have it.
const GuardName = "signals:"

// Best returns the rule of a tier that decides about a signal in a state: of the matching rules the one with the
// highest priority, among equals the first; nil if none matches.
func Best(rules []signals.Rule, signal signals.Signal, state string) (found *signals.Rule) {
	for i := range rules {
		rule := &rules[i]
		switch {
		case found != nil && rule.Priority <= found.Priority:
		case rule.On != signal.Kind || rule.In != nil && !slices.Contains(rule.In, state):
		case rule.Fits != nil && !rule.Fits(signal):
		default:
			found = rule
		}
	}

	return found
}
