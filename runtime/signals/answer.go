package signals

// Answer to a signal: what becomes of it.
type Answer string

// The answers to signals.
const (
	// None: there is no rule for the signal.
	None Answer = ""
	// Continue puts the signal off until the state is left.
	Continue Answer = "continue"
	// GracefulStop ends a run at the machine's next safe point, ForceStop now. A live machine, which is always at a safe
	// point, stays as it is: its host ends what it does with it.
	GracefulStop Answer = "graceful-stop"
	ForceStop    Answer = "force-stop"
	// Fire fires a key.
	Fire Answer = "fire"
)
