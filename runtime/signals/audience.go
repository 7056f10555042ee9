package signals

// Audience says for whose machines Go code adds rules for signals: for one [Agent], or for all of a [Host]. The zero value is the
// host's.
type Audience struct{ agent string }

// Host is the audience of all machines of a program, whose tier is asked last.
func Host() Audience { return Audience{} }

// Agent is the audience of the machine of one agent, or of its gate.
func Agent(name string) Audience { return Audience{agent: name} }

// Name is that of the agent; "" for the host.
func (a Audience) Name() string { return a.agent }

// Tier is the tier of the rules.
func (a Audience) Tier() Tier {
	if a.agent == "" {
		return TierHost
	}

	return TierAgent
}

// Router has the rules for signals that Go code has added to those of a program's files.
type Router interface {
	// Rules are those of a tier for a machine; they must not be changed.
	Rules(tier Tier, machine string) []Rule
}
