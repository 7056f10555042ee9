package workflow

import "github.com/agentc-dev/agentc/runtime/generated/rt"

// What the tests of this package call by itself, and programs do not.
var (
	ParsePath = parsePath
)

// MergeBranches merges branches of a context without rules.
func MergeBranches(base Value, branches []Value, keep string) (Value, *conflict) {
	return mergeBranches(base, branches, keep, nil)
}

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

// The errors that have no function of their own.
var (
	Blocked      = blockedError
	Conflict     = conflictError
	Stalled      = stalledError
	StateFailed  = stateFailedError
	Unfit        = pathError
	UnknownState = unknownStateError
)

// StepError is the error of a step.
type StepError = stepError

// Refused is the error of a part of an argument.
func Refused(function, name, path, want string, part Value) error {
	return argument{function, name, part}.mismatchErrorAt(path, want, part)
}

// BranchRuns are the branches of a step that did not fail.
type BranchRuns[R any] = branchRuns[R]

// DeclareWhole is [Declare] for a context that is decoded as a whole after each change.
func DeclareWhole[T any](r *Run, into *T, read rt.Reader[T], rules ...Rule) {
	Declare(r, into, read, rules...)
	apply := r.applySchema
	r.applySchema = func(newest, context Value, _ int) (Value, int, error) { return apply(newest, context, 0) }
}
