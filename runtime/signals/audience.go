package signals

// Audience is the machines to which Go code adds rules for signals: those of one [Agent], or all of a [Host]. The
// zero value is the host's.
type Audience struct{ agent string }

// Host is the audience of all machines of a program, whose tier comes last.
func Host() Audience { return Audience{} }

// Agent returns the audience of the machine of one agent, or of its gate.
func Agent(name string) Audience { return Audience{agent: name} }

// Name returns the name of the agent; "" for the host.
func (a Audience) Name() string { return a.agent }

// Tier returns the tier of the rules.
func (a Audience) Tier() Tier {
	if a.agent == "" {
		return TierHost
	}

	return TierAgent
}

// Router returns the rules for signals that Go code has added to those of a program's files.
type Router interface {
	// Rules returns the rules of a tier for a machine; they must not be changed.
	Rules(tier Tier, machine string) []Rule
}
