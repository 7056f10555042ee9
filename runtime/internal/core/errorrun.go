package core

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/event"
)

// SizeError is what a model, a tool or a function gave back that is larger than the engine can keep. The effect has happened, and is not
// tried again.
type SizeError struct {
	// What gave it, such as "the model of agent writer" or "tool search".
	What string
	// Size and Max are in bytes.
	Size, Max int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s gave back %d bytes, more than the %d that the engine keeps", e.What, e.Size, e.Max)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*SizeError) ErrorType() string { return "SizeError" }

// DivergenceError is a run that cannot be replayed: the program asks for another effect than the one that was recorded at the
// address. It ends the run; what was recorded stays as it is.
type DivergenceError struct {
	Run, Address string
	// Want is what the journal has, Got what the program asked for, such as tool "search_web".
	Want, Got string
}

func (e *DivergenceError) Error() string {
	return fmt.Sprintf("run %s cannot go on: at effect %s its journal has %s, and the program asks for %s",
		e.Run, e.Address, e.Want, e.Got)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*DivergenceError) ErrorType() string { return "DivergenceError" }

// EndsRun reports that the error ends the run.
func (*DivergenceError) EndsRun() bool { return true }

// ShapeError is a run that began with a program of another shape: other states, rows, guards, steps or tools. It is resumed with the
// program that it began with, or by force.
type ShapeError struct {
	Run string
	// Journal is the shape of the program that the run was last run by, Program that of the one at hand.
	Journal, Program string
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("run %s was run by a program of another shape (%s, and this one has %s): resume it with that program, "+
		"or with --force-shape", e.Run, e.Journal, e.Program)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*ShapeError) ErrorType() string { return "ShapeError" }

// WrongProgramError is a run of another program, or of an agent that the program does not have.
type WrongProgramError struct {
	Run string
	// Journal is the program that the run is of, Program the one at hand.
	Journal, Program string
	// Agent is the run's agent where the program of that name does not have it; else "".
	Agent string
}

func (e *WrongProgramError) Error() string {
	if e.Agent != "" {
		return fmt.Sprintf("run %s is a run of agent %q, which program %q does not have", e.Run, e.Agent, e.Program)
	}

	return fmt.Sprintf("run %s is a run of program %q, not of %q", e.Run, e.Journal, e.Program)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*WrongProgramError) ErrorType() string { return "WrongProgramError" }

// UnknownOutcomeError is an effect that had begun when its run was interrupted, which must not be repeated, and of which nobody
// knows whether it has happened. It ends the run.
type UnknownOutcomeError struct {
	Run, Address string
	// Kind is tool or call, Name the tool or the function.
	Kind, Name string
}

func (e *UnknownOutcomeError) Error() string {
	kind := e.Kind
	if kind == "call" {
		kind = "function"
	}

	return fmt.Sprintf("run %s cannot go on: %s %q (effect %s) had begun when the run was interrupted, and whether it has happened "+
		"is not known; answer question %q with again, skip or done VALUE", e.Run, kind, e.Name, e.Address, event.UnknownQuestion(e.Name))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownOutcomeError) ErrorType() string { return "UnknownOutcomeError" }

// EndsRun reports that the error ends the run.
func (*UnknownOutcomeError) EndsRun() bool { return true }

// RunEndedError is something that was asked of a run that has ended.
type RunEndedError struct {
	Run string
	// Status is how it ended: done, failed or cancelled.
	Status string
}

func (e *RunEndedError) Error() string { return fmt.Sprintf("run %s has ended: %s", e.Run, e.Status) }

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*RunEndedError) ErrorType() string { return "RunEndedError" }

// UnknownAddressError is an address at which a run has no effect that could be taken for what was asked.
type UnknownAddressError struct {
	Run, Address string
	// Problem says why not, such as "the run has no such effect".
	Problem string
}

func (e *UnknownAddressError) Error() string {
	return fmt.Sprintf("run %s, effect %s: %s", e.Run, e.Address, e.Problem)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownAddressError) ErrorType() string { return "UnknownAddressError" }
