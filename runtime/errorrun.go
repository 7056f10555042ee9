package runtime

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

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

// ErrorType is the code of the error; see [ErrorType].
func (*DivergenceError) ErrorType() string { return "DivergenceError" }

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

// ErrorType is the code of the error; see [ErrorType].
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

// ErrorType is the code of the error; see [ErrorType].
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
		"is not known; answer question %q with again, skip or done VALUE", e.Run, kind, e.Name, e.Address, UnknownQuestion(e.Name))
}

// ErrorType is the code of the error; see [ErrorType].
func (*UnknownOutcomeError) ErrorType() string { return "UnknownOutcomeError" }

// UnknownQuestion is the id of the question what becomes of an effect, of that name, whose outcome is not known.
func UnknownQuestion(name string) string { return "unknown:" + name }

// AnswerError is an answer that does not fit its question, which stays open.
type AnswerError struct {
	Run, Question, Answer string
	// Choices are the answers to choose from, if there are some; else Err says what is wrong.
	Choices []string
	Err     error
	// Form says what form an answer has; "" where that is not known.
	Form string
}

func (e *AnswerError) Error() string {
	problem := "is not one of " + wording.List(e.Choices)
	if e.Err != nil {
		problem = "does not fit: " + e.Err.Error()
	}

	return fmt.Sprintf("question %q of run %s: the answer %s %s%s", e.Question, e.Run, wording.QuoteStart(e.Answer), problem, expected(e.Form))
}

// ErrorType is the code of the error; see [ErrorType].
func (*AnswerError) ErrorType() string { return "AnswerError" }

// Unwrap returns what is wrong with the answer.
func (e *AnswerError) Unwrap() error { return e.Err }

// AnsweredError is an answer to a question that has one. The first counts.
type AnsweredError struct {
	Run, Question string
	// Value is the answer that counts, By whoever gave it, "" if that is not known.
	Value, By string
}

func (e *AnsweredError) Error() string {
	text := fmt.Sprintf("question %q of run %s has been answered", e.Question, e.Run)
	if e.By != "" {
		text += " by " + e.By
	}

	return text + ": " + wording.QuoteStart(e.Value)
}

// ErrorType is the code of the error; see [ErrorType].
func (*AnsweredError) ErrorType() string { return "AnsweredError" }

// UnknownQuestionError is a question that the run does not wait for, or an id that several have.
type UnknownQuestionError struct {
	Run, Question string
	// Open are the questions that it waits for, as they are to be named.
	Open []string
}

func (e *UnknownQuestionError) Error() string {
	text := fmt.Sprintf("run %s does not wait for an answer to question %s; ", e.Run, strconv.Quote(e.Question))
	if len(e.Open) == 0 {
		return text + "it waits for none"
	}

	return text + "it waits for " + wording.List(e.Open)
}

// ErrorType is the code of the error; see [ErrorType].
func (*UnknownQuestionError) ErrorType() string { return "UnknownQuestionError" }

// RunEndedError is something that was asked of a run that has ended.
type RunEndedError struct {
	Run string
	// Status is how it ended: done, failed or cancelled.
	Status string
}

func (e *RunEndedError) Error() string { return fmt.Sprintf("run %s has ended: %s", e.Run, e.Status) }

// ErrorType is the code of the error; see [ErrorType].
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

// ErrorType is the code of the error; see [ErrorType].
func (*UnknownAddressError) ErrorType() string { return "UnknownAddressError" }
