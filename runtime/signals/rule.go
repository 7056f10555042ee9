package signals

// Tier is where a rule is defined. Tiers are searched in this order, and the first with a matching rule decides.
type Tier string

// The tiers of signal rules.
const (
	TierMachine Tier = "machine" // `signals:` of the file
	TierAgent   Tier = "agent"   // those that Go code adds for one agent
	TierHost    Tier = "host"    // those that Go code adds for all
)

// Rule defines what a signal does. Within a tier the rule with the highest priority decides, among equals the first.
type Rule struct {
	On string
	// In are the states in which the rule applies; nil: all.
	In []string
	// Fits, if it is not nil, reports whether the rule is for this signal.
	Fits     func(Signal) bool
	Do       Answer
	Key      string // that is fired, with Fire
	Priority int
}
