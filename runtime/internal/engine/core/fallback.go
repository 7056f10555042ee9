package core

import (
	"errors"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// FallbackError means that a call has failed permanently on a model and on all its fallbacks.
type FallbackError struct {
	Agent string
	// Tried are the failures, in the order in which the models were called.
	Tried []FailedModel
}

// FailedModel is the failure of one model.
type FailedModel struct {
	// Model is provider:model.
	Model string
	// Err is a *model.Error, or an error that wraps one. For the last model it may be any error
	// that ends a call.
	Err error
}

func (e *FallbackError) Error() string {
	problems := make([]string, len(e.Tried))
	for i, failure := range e.Tried {
		problems[i] = failure.Model + ": " + reasonText(failure.Err)
	}

	return "all models of agent " + strconv.Quote(e.Agent) + " have failed: " + strings.Join(problems, "; ")
}

// ErrorType is the code of the error; see ErrorType of package runtime.
func (*FallbackError) ErrorType() string { return "FallbackError" }

// reasonText returns the text of a failure without what all failures have in common.
func reasonText(err error) string {
	var coded interface {
		error
		ErrorType() string
	}
	var failed *model.Error
	if errors.As(err, &coded) && coded.ErrorType() == failed.ErrorType() && errors.As(err, &failed) {
		return failed.Reason()
	}

	return err.Error()
}

// Unwrap returns the failures of all models.
func (e *FallbackError) Unwrap() []error {
	errs := make([]error, len(e.Tried))
	for i, failure := range e.Tried {
		errs[i] = failure.Err
	}

	return errs
}
