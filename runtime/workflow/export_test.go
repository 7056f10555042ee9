package workflow

// What the tests of this package call by itself, and programs do not.
var (
	ParsePath     = parsePath
	MergeBranches = mergeBranches
)

// The kinds of values, and which of two values counts.
const (
	KindNone    = kindNone
	KindBool    = kindBool
	KindNumber  = kindNumber
	KindText    = kindText
	KindList    = kindList
	KindObject  = kindObject
	KeepNeither = keepNeither
	KeepFirst   = keepFirst
	KeepLast    = keepLast
)

type (
	BranchKeyError    = branchKeyError
	LoopLimitError    = loopLimitError
	ArgumentError     = argumentError
	ConflictError     = conflictError
	ContextError      = contextError
	PathError         = pathError
	StalledError      = stalledError
	StateError        = stateError
	StepError         = stepError
	UnknownStateError = unknownStateError
)

// BranchRuns are the branches of a step that did not fail.
type BranchRuns[R any] = branchRuns[R]
