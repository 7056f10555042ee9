package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/errs"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// requestError is a request that the server does not do.
type requestError struct {
	// Status is the HTTP status, Type a name to compare with.
	Status  int
	Type    string
	Problem string
}

func (e *requestError) Error() string { return e.Problem }

// ErrorType is the type of the problem that is answered.
func (e *requestError) ErrorType() string { return e.Type }

// shutdownError is why a run ends whose server ends. The next server continues it.
type shutdownError struct{}

func (*shutdownError) Error() string {
	return "the server is closing: the run goes on when it is started again"
}

// ErrorType is the type under which the end of the run is recorded.
func (*shutdownError) ErrorType() string { return shutdownType }

const shutdownType = "ShutdownError"

// statusOf returns the HTTP status for an error. What is not known is a failure of the server's own.
func statusOf(err error) int {
	var request *requestError
	if errors.As(err, &request) {
		return request.Status
	}
	for _, known := range statusesOf {
		if known.is(err) {
			return known.status
		}
	}

	return http.StatusInternalServerError
}

// statusesOf are the errors that are not the server's fault, those that say more first.
var statusesOf = []struct {
	status int
	is     func(error) bool
}{
	{http.StatusNotFound, either(is(journal.ErrUnknownRun), is(journal.ErrNotBegun), errs.Is[*core.UnknownQuestionError])},
	{http.StatusConflict, either(is(journal.ErrRunExists), is(journal.ErrRunLocked))},
	{http.StatusConflict, either(errs.Is[*core.AnsweredError], errs.Is[*core.RunEndedError], errs.Is[*core.ShapeError])},
	{http.StatusConflict, either(errs.Is[*core.WrongProgramError], errs.Is[*core.DivergenceError])},
	{http.StatusInternalServerError, either(errs.Is[*journal.StoreError], errs.Is[*journal.DamagedError], errs.Is[*journal.FormatError])},
	{http.StatusUnprocessableEntity, either(errs.Is[*runtime.AnswerError], errs.Is[*core.UnknownAddressError])},
	{http.StatusUnprocessableEntity, either(errs.Is[*compiled.UnknownAgentError], errs.Is[*compiled.ContextError])},
	{http.StatusUnprocessableEntity, either(errs.Is[*core.MissingModelError], errs.Is[*core.MissingProviderError])},
	{http.StatusUnprocessableEntity, either(errs.Is[*model.CredentialError], errs.Is[*core.MissingEnvError])},
	{http.StatusUnprocessableEntity, either(errs.Is[*runtime.BadSettingError], errs.Is[*runtime.ScriptError])},
}

func either(tests ...func(error) bool) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(tests, func(is func(error) bool) bool { return is(err) })
	}
}

func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

// problemOf is an error as it is answered.
func problemOf(err error) *wire.Problem {
	p := &wire.Problem{Type: runtime.ErrorType(err), Message: err.Error()}
	var answer *runtime.AnswerError
	var question *core.UnknownQuestionError
	var agent *compiled.UnknownAgentError
	switch {
	case errors.As(err, &answer):
		p.Choices = answer.Choices
	case errors.As(err, &question):
		p.Choices = question.Open
	case errors.As(err, &agent):
		p.Choices = agent.Agents
	}

	return p
}

func unknownRun(run string) error { return fmt.Errorf("run %s: %w", run, journal.ErrUnknownRun) }
