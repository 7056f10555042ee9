package runtime

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// ErrNotAvailable is the answer of a built-in tool that this version, or this engine, does not support.
var ErrNotAvailable = errors.New("not available")

// ErrNotImplemented is what a generated method of Tools, Guards or Funcs returns until it is implemented. It ends the
// run, because no model can fix it.
var ErrNotImplemented = errors.New("not implemented")

// AnswerError means that an answer does not fit its question, which stays open.
type AnswerError struct {
	Run, Question, Answer string
	// Choices are the possible answers, if the question has some; otherwise Err is what is wrong.
	Choices []string
	Err     error
	// Form describes the form of an answer; "" if that is not known.
	Form string
}

func (e *AnswerError) Error() string {
	problem := "is not one of " + wording.List(e.Choices)
	if e.Err != nil {
		problem = "does not fit: " + e.Err.Error()
	}
	text := fmt.Sprintf("question %q of run %s: the answer %s %s", e.Question, e.Run, wording.QuoteStart(e.Answer), problem)
	if e.Form != "" {
		text += "; the answer is " + e.Form
	}

	return text
}

// ErrorType is the code of the error; see [ErrorType].
func (*AnswerError) ErrorType() string { return "AnswerError" }

// Unwrap returns what is wrong with the answer.
func (e *AnswerError) Unwrap() error { return e.Err }

// MissingFinishError means that an agent never called finish, and its plain text cannot replace the call.
type MissingFinishError struct {
	Agent string
	// Valid are the keys with which it could have finished; nil if any was possible.
	Valid []string
	// Text is the last text of the model.
	Text string
	// Problem is why the last reply does not count as a finish, if that is known: a call that was written as text.
	// Otherwise it is empty.
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

// InvalidTransitionError means that an agent finished with a key for which there is no transition.
type InvalidTransitionError struct {
	// Machine and State are where the key was used. They are empty outside of a machine, for a key that the agent
	// does not declare.
	Machine, State string
	Key            string
	// Valid are the keys that are possible there, in source order.
	Valid []string
	// Agent is the agent that finished; empty if the machine itself refused the key.
	Agent string
	// Problem is what was wrong with a finish without a readable key; otherwise it is empty.
	Problem string
	// To is the requested state, for a machine that was asked to move to a state and not by a key.
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

// OutputError means that a value does not match the agent's output schema, or that an answer contains no value.
type OutputError struct {
	Agent string
	// Path is the part of the value with the problem, as in [ValueError]; "" is the value itself.
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

// ForModel returns everything that is wrong, in words for the model.
func (e *OutputError) ForModel() string {
	if e.Err != nil {
		return e.Err.Error()
	}

	return ValueProblem{e.Path, e.Problem}.String()
}

// IterationLimitError means that a react loop did not finish within max_iter turns.
type IterationLimitError struct {
	Agent string
	// Turns is the limit.
	Turns int
	// Text is the last text of the model.
	Text string
}

func (e *IterationLimitError) Error() string {
	return fmt.Sprintf("agent %q did not finish within max_iter = %d turns", e.Agent, e.Turns)
}

// ErrorType is the code of the error; see [ErrorType].
func (*IterationLimitError) ErrorType() string { return "IterationLimitError" }

// StepLimitError means that a machine ran max_steps agents without reaching an end.
type StepLimitError struct {
	Machine string
	// State is where the machine was stopped.
	State string
	// Steps is the limit.
	Steps int
}

func (e *StepLimitError) Error() string {
	return fmt.Sprintf("machine %q did not end within max_steps = %d: stopped before state %q", e.Machine, e.Steps, e.State)
}

// ErrorType is the code of the error; see [ErrorType].
func (*StepLimitError) ErrorType() string { return "StepLimitError" }

// EndStateError means that a machine of a workflow has ended in a state that is a failure.
type EndStateError struct {
	Workflow, Machine string
	// State is the end state. If nothing catches the error, it is also the key with which the run ends.
	State string
}

func (e *EndStateError) Error() string {
	return fmt.Sprintf("machine %q ended in state %q, which is a failure", e.Machine, e.State)
}

// ErrorType is the code of the error; see [ErrorType].
func (*EndStateError) ErrorType() string { return "EndStateError" }

// StuckError means that the model of a react loop repeated the same calls, with the same results, too often.
type StuckError struct {
	Agent string
	// Tool is the tool that was called, and Args the arguments as the model wrote them.
	Tool, Args string
	// Times is the number of calls in a row.
	Times int
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("agent %q is stuck: it called %s %d times in a row with the same arguments and the same result",
		e.Agent, wording.Start(e.Tool), e.Times)
}

// ErrorType is the code of the error; see [ErrorType].
func (*StuckError) ErrorType() string { return "StuckError" }

// GuardError means that a guard could not decide.
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

// GuardReason is a guard that refused a transition, and the reason: that of a named guard, or for an expression its
// value and the values that it read, such as `false (context.score = 3)`.
type GuardReason struct {
	Guard, Reason string
}

// GuardRejectedError means that guards refused every transition for a key.
type GuardRejectedError struct {
	Machine, State, Key string
	// Guards are the guards in the order in which they were called.
	Guards []GuardReason
}

func (e *GuardRejectedError) Error() string {
	return fmt.Sprintf("machine %q, state %q: guards rejected key %s: %s",
		e.Machine, e.State, wording.QuoteStart(e.Key), wording.Join(e.Guards))
}

// ErrorType is the code of the error; see [ErrorType].
func (*GuardRejectedError) ErrorType() string { return "GuardRejectedError" }

// MissingValueError means that something would have followed only because a condition before it could not be decided: a row without
// a guard, a branch, or next_state. It is not taken. A value that the condition compares is missing, or has no order.
type MissingValueError struct {
	// Where is what reads the value: a state of a machine, or a field of a step such as condition_expression.
	Where string
	// Condition is the expression as the source has it. Reason describes why it is unknown, with the
	// values that it read.
	Condition, Reason string
	// Fields are the paths of the values that are missing, such as context.score; of those without an order if none is.
	Fields []string
	// Err is what else speaks against what follows: that the guards of all other rows refused, or that the state failed. It is nil
	// without one.
	Err error
}

func (e *MissingValueError) Error() string {
	text := e.Where + ": " + GuardReason{e.Condition, e.Reason}.String()
	if _, isRejected := e.Err.(*GuardRejectedError); e.Err == nil || isRejected {
		return text
	}

	return text + ", after " + e.Err.Error()
}

// ErrorType is the code of the error; see [ErrorType].
func (*MissingValueError) ErrorType() string { return "MissingValueError" }

func (e *MissingValueError) Unwrap() error { return e.Err }

// String returns the name of the guard and its reason.
func (r GuardReason) String() string {
	if r.Reason == "" {
		return r.Guard
	}

	return r.Guard + ": " + r.Reason
}

// PanicError is a panic that an engine recovered.
type PanicError struct {
	// Where names the code that panicked, such as "branch 2" or "tool search_web".
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

// PausedError means that a run waits for a person whom this process cannot ask.
type PausedError struct {
	// Run is the id of the run; "" if the function that was to ask did not set it.
	Run      string
	Question Question
	// Hint is how to answer, if the caller of the run knows; "" otherwise.
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

// CancelledError is a cause with a reason, for context.CancelCauseFunc. errors.Is reports that it is a
// context.Canceled.
type CancelledError struct {
	// By is the name of the caller who cancelled the run; "" if it is not known.
	By string
	// Reason is the reason; "" without one.
	Reason string
}

func (e *CancelledError) Error() string {
	text := "the run was cancelled"
	if e.By != "" {
		text += " by " + e.By
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}

	return text
}

// ErrorType is the code of the error; see [ErrorType].
func (*CancelledError) ErrorType() string { return "CancelledError" }

// Is reports whether target is context.Canceled.
func (e *CancelledError) Is(target error) bool { return target == context.Canceled }

// ScriptError means that a script does not match the run, or is itself invalid.
type ScriptError struct {
	// Section is "", "tools", "ask" or "guards", and Name the list in it: that of an agent if Section is empty.
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
