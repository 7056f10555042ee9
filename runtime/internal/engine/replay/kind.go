package replay

// The kinds of effects, as journals name them.
const (
	KindModel    = "model"
	KindTool     = "tool"
	KindCall     = "call"
	KindGuard    = "guard"
	KindAsk      = "ask"
	KindSleep    = "sleep"
	KindNow      = "now"
	KindParallel = "parallel"
)

// How a process leaves a run, as journals and events name it.
const (
	StatusDone      = "done"
	StatusFailed    = "failed"
	StatusPaused    = "paused"
	StatusCancelled = "cancelled"
	// StatusQuarantined is not how a process leaves a run, but what a server records of one that no
	// process has survived.
	StatusQuarantined = "quarantined"
)

// Class is what may be done about an effect if it is unknown whether it has happened.
type Class string

const (
	// ClassFree is an effect that changes nothing outside of the run, or whose repetition only
	// costs.
	ClassFree       Class = ""
	ClassRead       Class = "read"
	ClassIdempotent Class = "idempotent"
	// ClassOnce is an effect that must not happen twice.
	ClassOnce Class = "once"
)
