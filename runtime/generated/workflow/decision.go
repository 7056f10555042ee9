package workflow

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// guardLog records the decisions of guards: a [rt.Judge], or a [Run] for the machine that it is in.
type guardLog interface {
	RecordHeld(guard string) bool
	RecordRefused(guard, reason string, missing []string) bool
}

// Allows records the value of a guard's expression and reports whether it allows the transition: an
// unknown one does not. reads are the values that the expression has read.
func (t Truth) Allows(log guardLog, guard string, reads ...Member) bool {
	if t.Holds() {
		return log.RecordHeld(guard)
	}

	return log.RecordRefused(guard, truthReason(t, reads), t.missingFields(reads))
}

// AllowsElse is [Truth.Allows] for a transition of a run that is followed by one without a guard: a
// guard that is false is not recorded, because the other transition is taken then.
func (t Truth) AllowsElse(log guardLog, guard string, reads ...Member) bool {
	if t == Unknown {
		log.RecordRefused(guard, truthReason(t, reads), t.missingFields(reads))
	}

	return t.Holds()
}

// missingFields returns the names of the values because of which a condition is unknown. These are
// the reads that are none or, if no read is none, all of them. It returns nil if the condition is
// not unknown.
func (t Truth) missingFields(reads []Member) []string {
	if t != Unknown {
		return nil
	}
	names := []string{}
	for _, read := range reads {
		if read.Value.IsNone() {
			names = append(names, read.Name)
		}
	}
	if len(names) > 0 {
		return names
	}
	for _, read := range reads {
		names = append(names, read.Name)
	}

	return names
}

// RecordHeld is called for a guard that holds. It returns true.
func (*Run) RecordHeld(string) bool { return true }

// RecordRefused records a guard that does not hold, for the error of a state that no transition
// leaves, and returns false. missing are the values without which it is unknown; nil for one that
// is false.
func (r *Run) RecordRefused(guard, reason string, missing []string) bool {
	r.position.refused = append(r.position.refused, runtime.GuardReason{Guard: guard, Reason: reason})
	if missing != nil && r.position.undecided == nil {
		r.position.undecided = &runtime.MissingValueError{Condition: guard, Reason: reason, Fields: missing}
	}

	return false
}

// MatchUnguarded returns match, which describes how a transition without a guard was found. If a
// guard before it is unknown, the transition is not taken: it returns "" and marks the state as
// blocked.
func (r *Run) MatchUnguarded(match rt.Match) rt.Match {
	if r.position.undecided != nil {
		r.position.blocked = true
		return ""
	}

	return match
}

// Decided reports whether the condition of a block in a text holds. If it is unknown, it panics:
// [Checked] returns the error, a *[runtime.MissingValueError]. condition is the expression as the
// source has it, and reads are the values that it has read.
func (t Truth) Decided(condition string, reads ...Member) bool {
	if t == Unknown {
		panic(computeFailure{&runtime.MissingValueError{
			Where: "{{#if}}", Condition: condition, Reason: truthReason(t, reads), Fields: t.missingFields(reads),
		}})
	}

	return t.Holds()
}

// Decision is what a condition says. Err is a *[runtime.MissingValueError] if it is unknown, so that
// no branch is chosen.
type Decision struct {
	Holds bool
	Err   error
}

// Decide returns what a condition says. condition is the expression as the source has it, and reads
// are the values that it has read.
func (t Truth) Decide(condition string, reads ...Member) Decision {
	if t == Unknown {
		return Decision{Err: t.missingKey(condition, reads)}
	}

	return Decision{Holds: t.Holds()}
}

// missingKey is the error of a key of branches that is missing.
func (t Truth) missingKey(condition string, reads []Member) error {
	return &runtime.MissingValueError{
		Where: "condition_expression", Condition: condition, Reason: truthReason(t, reads), Fields: t.missingFields(reads),
	}
}

// Chosen is the key of the branch that a conditional step has chosen. Err is a
// *[runtime.MissingValueError] if the key is missing, so that no branch is chosen, not even the
// default.
type Chosen struct {
	Key string
	Err error
}

// Choose returns the branch whose key is the value, as [Value.BranchKey] writes it. A value that is
// none is a missing one. condition is the expression as the source has it, and reads are the values
// that it has read.
func (v Value) Choose(condition string, reads ...Member) Chosen {
	if !v.IsNone() {
		return Chosen{Key: v.BranchKey()}
	}

	return Chosen{Err: Unknown.missingKey(condition, reads)}
}

// TryPauseRows calls next to find the row that follows when a person has answered. It reports
// whether the rest of the state is skipped: the row leads to another state, or cannot be decided,
// which is then the error of the machine. It forgets the guards that were recorded before.
func TryPauseRows[S state](r *Run, in S, next func(S, Event) (S, rt.Match)) bool {
	r.position.forgetGuards()
	to, match := next(in, Pause)

	return to != in && (match != "" || r.position.undecided != nil)
}

// LoopLimit returns the error of a loop whose exit did not hold within max_loops turns. If it is
// unknown after the last turn, the error wraps a *[runtime.MissingValueError]. field and exit are
// the field and its expression as the source has them, and reads are the values that it has read.
// The truth of a field while is the truth of its expression.
func (t Truth) LoopLimit(turns int, field, exit string, reads ...Member) error {
	text := fmt.Sprintf("no exit within max_loops = %d turns: %s: %s", turns, exit, truthReason(t, reads))
	limit := &errs.Coded{Code: "LoopLimitError", Text: text}
	if t == Unknown {
		limit.Err = &runtime.MissingValueError{
			Where: field, Condition: exit, Reason: truthReason(t, reads), Fields: t.missingFields(reads),
		}
	}

	return limit
}
