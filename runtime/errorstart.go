package runtime

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// UnknownAgentError is an agent that the program does not have, or cannot start.
type UnknownAgentError struct {
	Agent string
	// Agents are those that can be started.
	Agents []string
}

func (e *UnknownAgentError) Error() string {
	if e.Agent == "" {
		return "the project has no single entry point; choose one of the agents " + wording.List(e.Agents)
	}

	return fmt.Sprintf("no agent %q can be started; there are %s", e.Agent, wording.List(e.Agents))
}

// ErrorType is the code of the error; see [ErrorType].
func (*UnknownAgentError) ErrorType() string { return "UnknownAgentError" }

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

// ErrorType is the code of the error; see [ErrorType].
func (*MissingProviderError) ErrorType() string { return "MissingProviderError" }

// MissingModelError is a role that neither the configuration nor the environment gives a model.
type MissingModelError struct {
	Role string
	// Agents are those that want it, sorted.
	Agents []string
}

func (e *MissingModelError) Error() string {
	return fmt.Sprintf("no model is configured for role %q (wanted by %s): set %s or AGENTC_MODEL_DEFAULT_NAME to "+
		"provider:model, add it to models: in agentc.yaml, or run with --script FILE",
		e.Role, wording.Agents(e.Agents), ModelVariable(e.Role, "NAME"))
}

// ErrorType is the code of the error; see [ErrorType].
func (*MissingModelError) ErrorType() string { return "MissingModelError" }

// ModelVariable is the environment variable that overrides a field of a role, such as AGENTC_MODEL_THINKER_NAME.
func ModelVariable(role, field string) string {
	return "AGENTC_MODEL_" + strings.ToUpper(strings.ReplaceAll(role, "-", "_")) + "_" + field
}

// BadSettingError is a setting that cannot be understood: a variable, or a model's name.
type BadSettingError struct {
	// Name is the variable or the place of the setting, Value what stands there.
	Name, Value string
	Problem     string
}

func (e *BadSettingError) Error() string { return fmt.Sprintf("%s: %q %s", e.Name, e.Value, e.Problem) }

// ErrorType is the code of the error; see [ErrorType].
func (*BadSettingError) ErrorType() string { return "BadSettingError" }

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

// ErrorType is the code of the error; see [ErrorType].
func (*MissingEnvError) ErrorType() string { return "MissingEnvError" }
