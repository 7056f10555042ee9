package question

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// AnsweredError is the error, with that code, of an answer to a question that has one. The first
// counts: value, which by gave; "" if that is not known.
func AnsweredError(run, question, value, by string) error {
	text := fmt.Sprintf("question %q of run %s has been answered", question, run)
	if by != "" {
		text += " by " + by
	}

	return &errs.Coded{Code: "AnsweredError", Text: text + ": " + wording.QuoteStart(value)}
}

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

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownQuestionError) ErrorType() string { return "UnknownQuestionError" }
