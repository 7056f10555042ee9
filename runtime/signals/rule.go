package signals

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
