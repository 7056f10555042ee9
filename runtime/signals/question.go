package signals

import "github.com/agentc-dev/agentc/runtime/internal/wording"

// StopReason says, as Reason of a [runtime.CancelledError], by which signal a machine was stopped and where it stood.
func StopReason(r *Ruling, machine, state string) string {
	return "signal " + wording.Quote(r.Signal.Kind) + " (" + string(r.Answer) + ") in state " + wording.Quote(state) +
		" of machine " + wording.Quote(machine)
}

// GuardName is the name under which a machine that runs asks its engine for signals; no guard of a file can have it.
const GuardName = "signals:"

// Question is what a machine that runs asks at a safe point: has a signal come for which there is a rule, and what
// becomes of it. It goes through Guard of [runtime.Effects], so that a record of what guards say has the answer too.
type Question struct {
	// Rules are those of the machine's file.
	Rules []Rule
	// Again is a signal that was put off before, to be decided about now; nil: the next one that has come.
	Again *Signal
}

// Ruling is what was decided about a signal that came to a run.
type Ruling struct {
	Signal Signal
	Answer Answer
	// Key is what is fired, with Fire.
	Key  string
	Tier Tier
}
