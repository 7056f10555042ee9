package runtime

import "slices"

// The signals that programs and live machines know beside those of the user's own names.
const (
	SignalStop        = "stop"
	SignalUserMessage = "user-message"
	SignalToolResult  = "tool-result"
	SignalTimer       = "timer"
	SignalBudgetAlert = "budget-alert"
)

// Signal is something that happens beside the keys of a machine.
type Signal struct {
	// Kind is one of the signals above or a name of the user's own.
	Kind string `json:"kind"`
	// Value goes with it: a message, a result.
	Value string `json:"value,omitempty"`
}

// Answer to a signal: what becomes of it.
type SignalAnswer string

// The answers to signals.
const (
	// AnswerNone: nobody has a rule for the signal.
	AnswerNone SignalAnswer = ""
	// AnswerContinue puts the signal off until the state is left.
	AnswerContinue SignalAnswer = "continue"
	// AnswerGracefulStop ends a run at the machine's next safe point, AnswerForceStop now. A live machine, which is always at a safe
	// point, stays as it is: its host ends what it does with it.
	AnswerGracefulStop SignalAnswer = "graceful-stop"
	AnswerForceStop    SignalAnswer = "force-stop"
	// AnswerFire fires a key.
	AnswerFire SignalAnswer = "fire"
)

// Tier says whose rule decided about a signal. Tiers are asked in this order, and the first with a rule that fits decides.
type Tier string

// The tiers of signal rules.
const (
	TierMachine Tier = "machine" // `signals:` of the file
	TierAgent   Tier = "agent"   // those that Go code adds for one agent
	TierHost    Tier = "host"    // those that Go code adds for all
)

// SignalRule says what a signal does. Inside a tier the rule with the higher priority counts, of equal ones the first.
type SignalRule struct {
	On string
	// In are the states in which the rule counts; nil: all.
	In []string
	// Fits, if it is not nil, says whether the rule is for this signal.
	Fits     func(Signal) bool
	Do       SignalAnswer
	Key      string // that is fired, with AnswerFire
	Priority int
}

// AgentSignal is who makes the steps that rules for signals fire. Access rules do not count for them.
const AgentSignal = "signal"

// Decision is what was decided about a signal.
type Decision struct {
	Signal Signal
	Answer SignalAnswer
	Tier   Tier
	// Step is the step that was made, with AnswerFire; the zero Step if the key was refused, which Err says.
	Step Step
	Err  error
}

// BestRule is the rule of a tier that counts for a signal in a state: of those that fit the one with the highest priority, and of
// these the first; nil if none fits.
func BestRule(rules []SignalRule, signal Signal, state string) (found *SignalRule) {
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

// SignalGuard is the name under which a machine that runs asks its engine for signals; no guard of a file can have it.
const SignalGuard = "signals:"

// SignalQuestion is what a machine that runs asks at a safe point: has a signal come for which somebody has a rule, and what
// becomes of it. It goes through Guard of [Effects], so that whoever records what guards say records the answer too.
type SignalQuestion struct {
	// Rules are those of the machine's file.
	Rules []SignalRule
	// Again is a signal that was put off before, to be decided about now; nil: the next one that has come.
	Again *Signal
}

// Ruling is what was decided about a signal that came to a run.
type Ruling struct {
	Signal Signal
	Answer SignalAnswer
	// Key is what is fired, with AnswerFire.
	Key  string
	Tier Tier
}

// SignalDoor is what an [Effects] may also be: one that wants to know which machines take signals now. It changes nothing that a
// machine does, but lets an engine find the innermost machine with a rule, and stop at once where that says force-stop.
type SignalDoor interface {
	// Listen says that a machine with rules is in a state. The function that it returns, which is called at the end of the state's
	// agent, says that it is so no more.
	Listen(machine, state string, rules []SignalRule) (end func())
}
