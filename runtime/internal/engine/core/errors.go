package core

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// DivergenceError is a run that cannot be replayed: the program asks for another effect than the
// one that was recorded at the address. It ends the run; what was recorded stays as it is.
type DivergenceError struct {
	Run, Address string
	// Want is what the journal has, Got what the program asked for: tool "search_web".
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

// shapeError is the error of a run that began with a program of another shape: other states, rows,
// guards, steps or tools. The run is resumed with that program, or by force. recorded is the shape
// of the program that has run last.
func shapeError(run, recorded, shape string) error {
	return &errs.Coded{Code: "ShapeError", Text: fmt.Sprintf("run %s needs another version of the program: states, rows, steps or tools "+
		"have changed since, or another version of agentc compiled it (shape %s, and now %s)", run, firstDigits(recorded), firstDigits(shape))}
}

// firstDigits shortens a hash for people.
func firstDigits(hash string) string { return hash[:min(len(hash), 8)] }

// wrongProgramError is the error of a run of another program.
func wrongProgramError(run, recorded, program string) error {
	return &errs.Coded{Code: "WrongProgramError", Text: fmt.Sprintf("run %s is a run of program %q, not of %q", run, recorded, program)}
}

// UnknownOutcomeError is an effect that had begun when its run was interrupted, which must not be
// repeated. It is unknown whether it has happened. It ends the run.
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
		"is not known; answer question %q with again, skip or done VALUE", e.Run, kind, e.Name, e.Address, unknown.Question(e.Name))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownOutcomeError) ErrorType() string { return "UnknownOutcomeError" }

// EndsRun reports that the error ends the run.
func (*UnknownOutcomeError) EndsRun() bool { return true }

// cancelledError is the [RunEndedError] of an answer to a run that was cancelled. problem is the
// error with which the run ended.
func cancelledError(run, problem string) error {
	return &errs.Coded{Code: "RunEndedError", Text: fmt.Sprintf("run %s takes no answer: %s; resume it first", run, problem)}
}

// RunEndedError is the error, with that code, of something that was asked of a run that has ended.
// status is how: done, failed or cancelled.
func RunEndedError(run, status string) error {
	return &errs.Coded{Code: "RunEndedError", Text: fmt.Sprintf("run %s has ended: %s", run, status)}
}

// unknownAddress is the error of an address at which a run has no effect that is allowed there.
// problem is the reason.
func unknownAddress(run, address, problem string) error {
	return &errs.Coded{Code: "UnknownAddressError", Text: fmt.Sprintf("run %s, effect %s: %s", run, address, problem)}
}

// MissingPriceError is a model whose price is unknown, under a budget of money. It is found before
// a run starts, or at the latest before the model is called.
type MissingPriceError struct {
	// Model is provider:model; "" if the engine does not know which model will answer.
	Model string
	// Agents are those that want it, sorted.
	Agents []string
}

func (e *MissingPriceError) Error() string {
	model := "the model"
	if e.Model != "" {
		model = "model " + wording.Quote(e.Model)
	}

	return fmt.Sprintf("a budget in usd cannot be kept: the price of %s is not known (wanted by %s): "+
		"add it to prices.yaml, or to the file that AGENTC_PRICES names", model, wording.Agents(e.Agents))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*MissingPriceError) ErrorType() string { return "MissingPriceError" }

// EndsRun reports that the error ends the run.
func (*MissingPriceError) EndsRun() bool { return true }

// MissingProviderError is a provider of models that this version does not have. It is found before
// a run starts.
type MissingProviderError struct {
	Provider string
	// Agents are those that want it, sorted.
	Agents []string
	// Known are the providers that there are, sorted.
	Known []string
}

func (e *MissingProviderError) Error() string {
	return fmt.Sprintf("provider %q is not part of this version (wanted by %s; there are %s); "+
		"run with --script FILE to answer instead of a model", e.Provider, wording.Agents(e.Agents), wording.List(e.Known))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*MissingProviderError) ErrorType() string { return "MissingProviderError" }

// EndsRun reports that the error ends the run.
func (*MissingProviderError) EndsRun() bool { return true }

// MissingModelError is a role that neither the configuration nor the environment gives a model.
type MissingModelError struct {
	Role string
	// Agents are those that want it, sorted.
	Agents []string
}

func (e *MissingModelError) Error() string {
	return fmt.Sprintf("no model is configured for role %q (wanted by %s): set %s or AGENTC_MODEL_DEFAULT_NAME to "+
		"provider:model, add it to models: in agentc.yaml, or run with --script FILE",
		e.Role, wording.Agents(e.Agents), modelVariable(e.Role, "NAME"))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*MissingModelError) ErrorType() string { return "MissingModelError" }

// EndsRun reports that the error ends the run.
func (*MissingModelError) EndsRun() bool { return true }

// modelVariable is the environment variable that overrides a field of a role, such as
// AGENTC_MODEL_THINKER_NAME.
func modelVariable(role, field string) string {
	return "AGENTC_MODEL_" + strings.ToUpper(strings.ReplaceAll(role, "-", "_")) + "_" + field
}

// MissingEnvError are variables that agents declare in env and that are not set. It is found before
// a run starts.
type MissingEnvError struct {
	// Vars are sorted.
	Vars []MissingVar
}

// MissingVar is a variable and the agents that declare it, sorted.
type MissingVar struct {
	Name   string
	Agents []string
}

func (e *MissingEnvError) Error() string {
	vars := make([]string, len(e.Vars))
	for i, v := range e.Vars {
		vars[i] = v.Name + " (" + wording.Agents(v.Agents) + ")"
	}

	return "environment variables are not set: " + strings.Join(vars, ", ")
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*MissingEnvError) ErrorType() string { return "MissingEnvError" }

// EndsRun reports that the error ends the run.
func (*MissingEnvError) EndsRun() bool { return true }

// longWaitError is the error of a model call that has failed with err and could be repeated only
// after a longer wait than a run allows: the provider has asked for that wait.
func longWaitError(wait, longest time.Duration, err error) error {
	return &errs.Coded{Code: "LongWaitError", Err: err, Text: fmt.Sprintf("%v; the provider asks to wait for %s, and a run waits for %s at most",
		err, wording.Wait(wait), wording.Wait(longest))}
}
