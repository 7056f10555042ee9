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
	ArgumentError     = argumentError
	ConflictError     = conflictError
	ContextError      = contextError
	PathError         = pathError
	StateError        = stateError
	StepError         = stepError
	UnknownStateError = unknownStateError
)
