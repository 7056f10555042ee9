package runtime

import (
	"errors"
)

// ErrorType is the name of err's Go type without package and pointer, such as StuckError: the type of an error event. Of a
// wrapped or joined error it is the first that tells its type by a method ErrorType, else that this package knows; of any other
// error it is "error".
func ErrorType(err error) string {
	var own typed
	if !as[*GroupError](err) && errors.As(err, &own) {
		return own.ErrorType()
	}
	for _, known := range knownErrors {
		if known.is(err) {
			return known.name
		}
	}

	return "error"
}

// typed is an error of another package that tells its type.
type typed interface {
	error
	ErrorType() string
}

var knownErrors = []struct {
	name string
	is   func(error) bool
}{
	{"ScriptError", as[*ScriptError]},
	{"PausedError", as[*PausedError]},
	{"CancelledError", as[*CancelledError]},
	{"GroupError", as[*GroupError]},
	{"BranchError", as[BranchError]},
	{"MissingFinishError", as[*MissingFinishError]},
	{"InvalidTransitionError", as[*InvalidTransitionError]},
	{"OutputError", as[*OutputError]},
	{"ItemLimitError", as[*ItemLimitError]},
	{"CycleLimitError", as[*CycleLimitError]},
	{"IterationLimitError", as[*IterationLimitError]},
	{"StepLimitError", as[*StepLimitError]},
	{"StuckError", as[*StuckError]},
	{"FallbackError", as[*FallbackError]},
	{"BudgetError", as[*BudgetError]},
	{"TimeoutError", as[*TimeoutError]},
	{"GuardError", as[*GuardError]},
	{"GuardRejectedError", as[*GuardRejectedError]},
	{"AccessError", as[*AccessError]},
	{"StaleError", as[*StaleError]},
	{"SnapshotError", as[*SnapshotError]},
	{"LongWaitError", as[*LongWaitError]},
	{"ModelError", as[*ModelError]},
	{"PanicError", as[*PanicError]},
	{"UnknownAgentError", as[*UnknownAgentError]},
	{"MissingProviderError", as[*MissingProviderError]},
	{"MissingModelError", as[*MissingModelError]},
	{"MissingEnvError", as[*MissingEnvError]},
	{"MissingPriceError", as[*MissingPriceError]},
	{"BadSettingError", as[*BadSettingError]},
	{"UnknownNameError", as[*UnknownNameError]},
	{"ContextError", as[*ContextError]},
	{"DivergenceError", as[*DivergenceError]},
	{"ShapeError", as[*ShapeError]},
	{"WrongProgramError", as[*WrongProgramError]},
	{"UnknownOutcomeError", as[*UnknownOutcomeError]},
	{"AnswerError", as[*AnswerError]},
	{"AnsweredError", as[*AnsweredError]},
	{"UnknownQuestionError", as[*UnknownQuestionError]},
	{"RunEndedError", as[*RunEndedError]},
	{"UnknownAddressError", as[*UnknownAddressError]},
	{"ValueError", as[*ValueError]},
}

func as[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}
