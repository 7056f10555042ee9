package signals

// Answer is what happens to a signal; "" means that there is no rule for it.
type Answer string

// The answers to signals.
const (
	// Continue defers the signal until the state is left.
	Continue Answer = "continue"
	// GracefulStop ends a run at the machine's next safe point, ForceStop at once. A live machine, which is always at
	// a safe point, does not change: its host acts on the decision.
	GracefulStop Answer = "graceful-stop"
	ForceStop    Answer = "force-stop"
	// Fire fires a key.
	Fire Answer = "fire"
)
