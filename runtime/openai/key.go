package openai

import (
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
)

// key is what a server knows its client by; the zero value is none.
type key struct {
	secret string
	// variable is where it comes from.
	variable string
}

// noKey is what a variable says whose server takes no key.
const noKey = "none"

// findKey looks for the key of a model. needed says that without one the model cannot be used.
func findKey(m local.Model, known kind, env func(string) (string, bool), needed bool) (key, error) {
	variables := keyVariables(m, known)
	for _, name := range variables {
		value, _ := env(name)
		value = strings.TrimSpace(value) // files end with a line break
		switch {
		case value == "":
			continue
		case value == noKey:
			return key{}, nil
		case !visible(value):
			return key{}, &runtime.KeyError{
				Provider: m.Provider, Variables: []string{name},
				Problem: "it has a line break, a space or a character that no key has",
			}
		}

		return key{secret: value, variable: name}, nil
	}
	if needed {
		return key{}, &runtime.KeyError{Provider: m.Provider, Variables: ownVariables(m, known)}
	}

	return key{}, nil
}

// keyVariables are the variables that may have the key; the first that is set counts: the role's, the provider's by our name and
// by its own.
func keyVariables(m local.Model, known kind) []string {
	var variables []string
	if m.Role != "" {
		role := "MODEL_" + variableName(m.Role) + "_API_KEY"
		variables = append(variables, "AGENTC_"+role, "TAMA_"+role)
	}
	provider := variableName(m.Provider)
	variables = append(variables, "AGENTC_PROVIDER_"+provider+"_API_KEY", "TAMA_PROVIDER_"+provider+"_API_KEY")

	return append(variables, ownVariables(m, known)...)
}

// ownVariables are the variables that everybody uses for the provider's key.
func ownVariables(m local.Model, known kind) []string {
	if known.keys == nil {
		return []string{variableName(m.Provider) + "_API_KEY"}
	}

	return known.keys
}

// variableName is a name as a part of a variable's.
func variableName(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }

// visible reports whether text can stand in a header as it is: printable ASCII without spaces.
func visible(text string) bool {
	return text != "" && !slices.ContainsFunc([]byte(text), func(c byte) bool { return c <= ' ' || c > '~' })
}

// timeoutOf is how long a call may take, by the environment.
func timeoutOf(m local.Model, env func(string) (string, bool)) (time.Duration, error) {
	name := "AGENTC_PROVIDER_" + variableName(m.Provider) + "_TIMEOUT"
	value, _ := env(name)
	if value == "" {
		return defaultTimeout, nil
	}
	timeout, err := time.ParseDuration(value)
	if err != nil || timeout <= 0 {
		return 0, &runtime.BadSettingError{Name: name, Value: value, Problem: "is not a duration above 0, such as 90s or 20m"}
	}

	return timeout, nil
}
