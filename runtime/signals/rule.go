package signals

import "slices"

// Tier says whose rule decided about a signal. Tiers are asked in this order, and the first with a rule that fits decides.
type Tier string

// The tiers of signal rules.
const (
	TierMachine Tier = "machine" // `signals:` of the file
	TierAgent   Tier = "agent"   // those that Go code adds for one agent
	TierHost    Tier = "host"    // those that Go code adds for all
)

// Rule says what a signal does. Inside a tier the rule with the higher priority counts, of equal ones the first.
type Rule struct {
	On string
	// In are the states in which the rule counts; nil: all.
	In []string
	// Fits, if it is not nil, says whether the rule is for this signal.
	Fits     func(Signal) bool
	Do       Answer
	Key      string // that is fired, with Fire
	Priority int
}

// BestRule is the rule of a tier that counts for a signal in a state: of those that fit the one with the highest priority, and of
// these the first; nil if none fits.
func BestRule(rules []Rule, signal Signal, state string) (found *Rule) {
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
