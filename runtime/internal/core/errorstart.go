package core

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// MissingPriceError is a model whose price nobody knows, under a budget of money. It is found before a run starts, or at the
// latest before the model is called.
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

// MissingProviderError is a provider of models that this version does not have. It is found before a run starts.
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

// modelVariable is the environment variable that overrides a field of a role, such as AGENTC_MODEL_THINKER_NAME.
func modelVariable(role, field string) string {
	return "AGENTC_MODEL_" + strings.ToUpper(strings.ReplaceAll(role, "-", "_")) + "_" + field
}

// MissingEnvError are variables that agents declare in env and that are not set. It is found before a run starts.
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
