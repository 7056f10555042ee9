package runtime

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// ErrNotAvailable is what a built-in tool answers that this version, or this engine, does not run.
var ErrNotAvailable = errors.New("not available")

// ErrNotImplemented is what a method of Tools, Guards or Funcs returns as long as nobody has written it. It ends the run:
// no model can mend it.
var ErrNotImplemented = errors.New("not implemented")

// MissingFinishError is an agent that never called finish where plain text cannot stand for it.
type MissingFinishError struct {
	Agent string
	// Valid are the keys that it could have finished with; nil if any would do.
	Valid []string
	// Text is the last that the model said.
	Text string
	// Problem says what kept the last reply from being an end, where that is known: a call that was written as text. Else it is empty.
	Problem string
}

func (e *MissingFinishError) Error() string {
	text := fmt.Sprintf("agent %q ended without calling finish", e.Agent)
	if len(e.Valid) > 0 {
		text += " (keys: " + wording.List(e.Valid) + ")"
	}
	if e.Problem != "" {
		text += ": " + e.Problem
	}

	return text
}

// ErrorType is the code of the error; see [ErrorType].
func (*MissingFinishError) ErrorType() string { return "MissingFinishError" }

// InvalidTransitionError is a key for which the place has no row.
type InvalidTransitionError struct {
	// Machine and State are the place. They are empty when the agent's own declared keys were not met outside of a machine.
	Machine, State string
	Key            string
	// Valid are the keys that the place has, in source order.
	Valid []string
	// Agent is who finished; empty when the machine itself refused the key.
	Agent string
	// Problem says what was wrong with a finish that had no readable key; else it is empty.
	Problem string
	// To is the state that a live machine was asked to go to, when it was not asked by a key.
	To string
}

func (e *InvalidTransitionError) Error() string {
	var b strings.Builder
	if e.Machine != "" {
		fmt.Fprintf(&b, "machine %q, state %q: ", e.Machine, e.State)
	}
	if e.Agent != "" {
		fmt.Fprintf(&b, "agent %q ", e.Agent)
	}
	switch {
	case e.Problem != "":
		b.WriteString("could not finish: " + e.Problem)
	case e.Agent != "":
		b.WriteString("finished with key " + wording.QuoteStart(e.Key))
	case e.To != "":
		fmt.Fprintf(&b, "no row leads to state %q", e.To)
	default:
		b.WriteString("no row for key " + wording.QuoteStart(e.Key))
	}
	if len(e.Valid) > 0 {
		b.WriteString("; valid keys: " + wording.List(e.Valid))
	}

	return b.String()
}

// ErrorType is the code of the error; see [ErrorType].
func (*InvalidTransitionError) ErrorType() string { return "InvalidTransitionError" }

// OutputError is a value that does not fit the agent's output schema, or an answer from which no value can be taken.
type OutputError struct {
	Agent string
	// Path is the place inside the value, as in [ValueError]; "" is the value itself.
	Path    string
	Problem string
	// Err is the *ValueError with all problems; nil if there was no value to check.
	Err error
}

func (e *OutputError) Error() string {
	return fmt.Sprintf("agent %q: the output does not fit: %s", e.Agent, e.ForModel())
}

// ErrorType is the code of the error; see [ErrorType].
func (*OutputError) ErrorType() string { return "OutputError" }

func (e *OutputError) Unwrap() error { return e.Err }

// problem says everything that was wrong, for the model too.
func (e *OutputError) ForModel() string {
	if e.Err != nil {
		return e.Err.Error()
	}

	return ValueProblem{e.Path, e.Problem}.String()
}

// IterationLimitError is a react loop that did not finish within max_iter turns.
type IterationLimitError struct {
	Agent string
	// Turns is the limit.
	Turns int
	// Text is the last that the model said.
	Text string
}

func (e *IterationLimitError) Error() string {
	return fmt.Sprintf("agent %q did not finish within max_iter = %d turns", e.Agent, e.Turns)
}

// ErrorType is the code of the error; see [ErrorType].
func (*IterationLimitError) ErrorType() string { return "IterationLimitError" }

// StepLimitError is a machine that ran max_steps agents without coming to an end.
type StepLimitError struct {
	Machine string
	// State is where the walk was refused.
	State string
	// Steps is the limit.
	Steps int
}

func (e *StepLimitError) Error() string {
	return fmt.Sprintf("machine %q did not end within max_steps = %d: stopped before state %q", e.Machine, e.Steps, e.State)
}

// ErrorType is the code of the error; see [ErrorType].
func (*StepLimitError) ErrorType() string { return "StepLimitError" }

// StuckError is a react loop whose model made the same calls, with the same results, again and again.
type StuckError struct {
	Agent string
	// Tool is what was called, Args the arguments as the model wrote them.
	Tool, Args string
	// Times is how often in a row.
	Times int
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("agent %q is stuck: it called %s %d times in a row with the same arguments and the same result",
		e.Agent, wording.Start(e.Tool), e.Times)
}

// ErrorType is the code of the error; see [ErrorType].
func (*StuckError) ErrorType() string { return "StuckError" }

// GuardError is a guard that could not answer.
type GuardError struct {
	Machine, State, Key, Guard string
	Err                        error
}

func (e *GuardError) Error() string {
	return fmt.Sprintf("machine %q, state %q, key %s: guard %q failed: %v", e.Machine, e.State, wording.QuoteStart(e.Key), e.Guard, e.Err)
}

// ErrorType is the code of the error; see [ErrorType].
func (*GuardError) ErrorType() string { return "GuardError" }

func (e *GuardError) Unwrap() error { return e.Err }

// GuardReason is a guard that said no, and why: the reason of a named guard, or of an expression what it came to and the values that
// it read, such as `false (context.score = 3)`.
type GuardReason struct {
	Guard, Reason string
}

// GuardRejectedError is a key all of whose rows were refused by their guards.
type GuardRejectedError struct {
	Machine, State, Key string
	// Guards are in the order in which they were asked.
	Guards []GuardReason
}

func (e *GuardRejectedError) Error() string {
	return fmt.Sprintf("machine %q, state %q: guards rejected key %s: %s",
		e.Machine, e.State, wording.QuoteStart(e.Key), wording.Join(e.Guards))
}

// ErrorType is the code of the error; see [ErrorType].
func (*GuardRejectedError) ErrorType() string { return "GuardRejectedError" }

// String is the name of the guard and what it said.
func (r GuardReason) String() string {
	if r.Reason == "" {
		return r.Guard
	}

	return r.Guard + ": " + r.Reason
}

// PanicError is a panic that an engine caught.
type PanicError struct {
	// Where says what panicked, such as "branch 2" or "tool search_web".
	Where string
	Value any
	// Stack is the goroutine's stack at the panic.
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("%s panicked: %v", e.Where, e.Value) }

// ErrorType is the code of the error; see [ErrorType].
func (*PanicError) ErrorType() string { return "PanicError" }

func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)

	return err
}

// PausedError is a run that waits for a person whom this process cannot ask.
type PausedError struct {
	// Run is the run's id, "" where an asker that found nobody has not said it.
	Run      string
	Question Question
	// Hint says how to answer, where the caller of the run knows; "" otherwise.
	Hint string
}

func (e *PausedError) Error() string {
	text := fmt.Sprintf("the run is paused: question %q waits for an answer", e.Question.ID)
	if e.Hint != "" {
		text += "; " + e.Hint
	}

	return text
}

// ErrorType is the code of the error; see [ErrorType].
func (*PausedError) ErrorType() string { return "PausedError" }

// CancelledError is a cause for whoever cancels a run and wants to say why. It is a context.Canceled for errors.Is.
type CancelledError struct {
	// Reason completes "the run was cancelled: ".
	Reason string
}

func (e *CancelledError) Error() string { return "the run was cancelled: " + e.Reason }

// ErrorType is the code of the error; see [ErrorType].
func (*CancelledError) ErrorType() string { return "CancelledError" }

// Is makes the error a context.Canceled.
func (e *CancelledError) Is(target error) bool { return target == context.Canceled }

// ScriptError is a script that does not fit the run, or is faulty itself.
type ScriptError struct {
	// Section is "", "tools", "ask" or "guards"; Name the list in it: of an agent where Section is empty.
	Section, Name string
	// Turn is the 1-based entry of the list; 0 for the list as a whole.
	Turn    int
	Problem string
	Err     error
}

func (e *ScriptError) Error() string {
	where := "script"
	if e.Section != "" {
		where += ", " + e.Section
	}
	if e.Name != "" {
		where += ", " + strconv.Quote(e.Name)
	}
	if e.Turn > 0 {
		where += ", turn " + strconv.Itoa(e.Turn)
	}

	return where + ": " + e.Problem
}

// ErrorType is the code of the error; see [ErrorType].
func (*ScriptError) ErrorType() string { return "ScriptError" }

func (e *ScriptError) Unwrap() error { return e.Err }
