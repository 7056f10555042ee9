package serve

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
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

// busyError is [journal.ErrRunLocked] in the words for a run that this server works on.
type busyError struct{ run string }

func (e *busyError) Error() string { return "run " + e.run + ": this server works on it" }

// Unwrap returns journal.ErrRunLocked, whose code the error has.
func (*busyError) Unwrap() error { return journal.ErrRunLocked }

// shutdownError is why a run ends whose server ends. The next server continues it.
type shutdownError struct{}

func (*shutdownError) Error() string {
	return "the server is closing: the run goes on when it is started again"
}

// ErrorType is the type under which the end of the run is recorded.
func (*shutdownError) ErrorType() string { return wire.ShutdownType }

// statusOf returns the HTTP status for an error. What is not known is a failure of the server's own.
func statusOf(err error) int {
	var request *requestError
	if errors.As(err, &request) {
		return request.Status
	}
	for _, known := range statusesOf {
		if errs.Has(err, known.codes...) {
			return known.status
		}
	}

	return http.StatusInternalServerError
}

// statusesOf are the codes of errors that are not the server's fault, those that say more first.
var statusesOf = []struct {
	status int
	codes  []string
}{
	{http.StatusUnauthorized, []string{"TokenError"}},
	{http.StatusForbidden, []string{"RightError"}},
	{http.StatusNotFound, []string{"UnknownRunError", "NotBegunError", "UnknownQuestionError"}},
	{http.StatusConflict, []string{"RunExistsError", "RunLockedError", "AnsweredError", "RunEndedError"}},
	{http.StatusConflict, []string{"ShapeError", "WrongProgramError", "DivergenceError"}},
	{http.StatusInternalServerError, []string{"StoreError", "DamagedError", "FormatError"}},
	{http.StatusUnprocessableEntity, []string{"AnswerError", "UnknownAddressError", "UnknownAgentError", "InputError", "ContextError"}},
	{http.StatusUnprocessableEntity, []string{"MissingModelError", "MissingProviderError", "KeyError", "MissingEnvError"}},
	{http.StatusUnprocessableEntity, []string{"BadSettingError", "ScriptError"}},
}

// problemOf is an error as it is answered.
func problemOf(err error) *client.Problem {
	p := &client.Problem{Type: runtime.ErrorType(err), Message: err.Error()}
	var answer *runtime.AnswerError
	var question *question.UnknownQuestionError
	var agent *compiled.UnknownAgentError
	switch {
	case errs.Has(err, "ShapeError"):
		p.Message += `; start that version, or send {"force_shape": true} to POST /runs/RUN/resume, so that this program continues the run if ` +
			"it still does what was recorded, and repeat the request"
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
