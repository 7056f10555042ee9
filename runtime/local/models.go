package local

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// Model is a model as an agent gets it, after role, configuration and environment have had their say.
type Model struct {
	// Role is the role that was asked for; "" for an agent that names its model.
	Role string
	// Name is provider:model; Provider and ID are its parts.
	Name, Provider, ID string
	// Temperature and MaxTokens are nil when nobody sets them.
	Temperature *float64
	MaxTokens   *int
	// BaseURL is empty when nobody sets it.
	BaseURL string
}

// prefixes of the variables that override a role, in the order in which they count.
var prefixes = []string{"AGENTC_MODEL_", "TAMA_MODEL_"}

const defaultRole = "default"

// Resolve says which model a choice means. What the agent itself says counts first, then the variables AGENTC_MODEL_<ROLE>_NAME,
// _TEMPERATURE, _MAX_TOKENS and _BASE_URL (or TAMA_MODEL_…), then the configuration. A role that neither knows falls to default.
// choice must not be nil. Errors: *runtime.MissingModelError without Agents, *runtime.BadSettingError.
func Resolve(p *runtime.Program, choice *runtime.ModelChoice, env func(string) (string, bool)) (Model, error) {
	m, err := resolveRole(p, choice, env)
	if err != nil {
		return Model{}, err
	}

	if choice.Temperature != nil {
		m.Temperature = choice.Temperature
	}
	if choice.MaxTokens != nil {
		m.MaxTokens = choice.MaxTokens
	}
	var ok bool
	if m.Provider, m.ID, ok = strings.Cut(m.Name, ":"); !ok || m.Provider == "" || m.ID == "" {
		return Model{}, &runtime.BadSettingError{Name: "model", Value: m.Name, Problem: "is not of the form provider:model"}
	}

	return m, nil
}

func resolveRole(p *runtime.Program, choice *runtime.ModelChoice, env func(string) (string, bool)) (Model, error) {
	if choice.Name != "" {
		return Model{Name: choice.Name}, nil
	}

	role := choice.Role
	if role == "" {
		role = defaultRole
	}
	for _, candidate := range []string{role, defaultRole} {
		m, err := lookupRole(p, candidate, env)
		if err != nil {
			return Model{}, err
		}
		if m.Name != "" {
			m.Role = role

			return m, nil
		}
	}

	return Model{}, &runtime.MissingModelError{Role: role}
}

// lookupRole is what configuration and environment say of a role; Name is empty if they do not name its model.
func lookupRole(p *runtime.Program, role string, env func(string) (string, bool)) (Model, error) {
	var m Model
	if p != nil {
		for _, info := range p.Models {
			if info.Role == role {
				m = Model{Name: info.Name, Temperature: info.Temperature, MaxTokens: info.MaxTokens, BaseURL: info.BaseURL}
			}
		}
	}

	if _, value := variable(role, "NAME", env); value != "" {
		if value != m.Name {
			// Another model lives elsewhere; its temperature and length stay the role's.
			m.BaseURL = ""
		}
		m.Name = value
	} else if _, value := variable(role, "", env); value != "" {
		m.Name = value
	}
	if _, value := variable(role, "BASE_URL", env); value != "" {
		m.BaseURL = value
	}

	return m, overrideNumbers(&m, role, env)
}

func overrideNumbers(m *Model, role string, env func(string) (string, bool)) error {
	if name, value := variable(role, "TEMPERATURE", env); value != "" {
		temperature, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return &runtime.BadSettingError{Name: name, Value: value, Problem: "is not a number"}
		}
		m.Temperature = &temperature
	}
	if name, value := variable(role, "MAX_TOKENS", env); value != "" {
		tokens, err := strconv.Atoi(value)
		if err != nil || tokens < 1 {
			return &runtime.BadSettingError{Name: name, Value: value, Problem: "is not a whole number above 0"}
		}
		m.MaxTokens = &tokens
	}

	return nil
}

// variable is the first of a role's variables that is set and not empty.
func variable(role, field string, env func(string) (string, bool)) (name, value string) {
	suffix := strings.ToUpper(strings.ReplaceAll(role, "-", "_"))
	if field != "" {
		suffix += "_" + field
	}
	for _, prefix := range prefixes {
		if value, ok := env(prefix + suffix); ok && value != "" {
			return prefix + suffix, value
		}
	}

	return "", ""
}
