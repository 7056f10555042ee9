package runtime

import (
	"errors"
	"reflect"
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
		of := reflect.TypeOf(known)
		if !errors.As(err, reflect.New(of).Interface()) {
			continue
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}

		return of.Name()
	}

	return "error"
}

// typed is an error of another package that tells its type.
type typed interface {
	error
	ErrorType() string
}

// knownErrors has an error of each type; their values are of no account.
var knownErrors = []error{
	(*ScriptError)(nil),
	(*PausedError)(nil),
	(*CancelledError)(nil),
	(*GroupError)(nil),
	BranchError{},
	(*MissingFinishError)(nil),
	(*InvalidTransitionError)(nil),
	(*OutputError)(nil),
	(*ItemLimitError)(nil),
	(*CycleLimitError)(nil),
	(*IterationLimitError)(nil),
	(*StepLimitError)(nil),
	(*StuckError)(nil),
	(*FallbackError)(nil),
	(*BudgetError)(nil),
	(*TimeoutError)(nil),
	(*GuardError)(nil),
	(*GuardRejectedError)(nil),
	(*StalledError)(nil),
	(*AccessError)(nil),
	(*StaleError)(nil),
	(*SnapshotError)(nil),
	(*LongWaitError)(nil),
	(*ModelError)(nil),
	(*PanicError)(nil),
	(*UnknownAgentError)(nil),
	(*MissingProviderError)(nil),
	(*MissingModelError)(nil),
	(*MissingEnvError)(nil),
	(*MissingPriceError)(nil),
	(*BadSettingError)(nil),
	(*UnknownNameError)(nil),
	(*ContextError)(nil),
	(*DivergenceError)(nil),
	(*ShapeError)(nil),
	(*WrongProgramError)(nil),
	(*UnknownOutcomeError)(nil),
	(*AnswerError)(nil),
	(*AnsweredError)(nil),
	(*UnknownQuestionError)(nil),
	(*RunEndedError)(nil),
	(*UnknownAddressError)(nil),
	(*ValueError)(nil),
}

func as[T error](err error) bool {
	var target T

	return errors.As(err, &target)
}
