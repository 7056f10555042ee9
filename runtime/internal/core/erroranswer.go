package core

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// expected completes a refusal with the form that an answer has.
func expected(form string) string {
	if form == "" {
		return ""
	}

	return "; the answer is " + form
}

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

// ErrorType is the code of the error; see [runtime.ErrorType].
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

// ErrorType is the code of the error; see [runtime.ErrorType].
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

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownQuestionError) ErrorType() string { return "UnknownQuestionError" }
