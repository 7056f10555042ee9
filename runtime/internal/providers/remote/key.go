package remote

import (
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/size"
)

// Key is what a server knows its client by; the zero value is none.
type Key struct {
	Secret string
	// Variable is where it comes from.
	Variable string
	// Missing is the reason why there is none.
	Missing string
}

// sent returns which key a request was sent with.
func (k Key) sent() string {
	switch {
	case k.Secret != "":
		return "with the key of " + k.Variable
	case k.Missing != "":
		return "without a key: " + k.Missing
	}

	return "without a key"
}

// noKey is what a variable says whose server takes no key.
const noKey = "none"

// findKey looks for the key of a model. needed reports whether without one the model cannot be
// used.
func findKey(m model.Model, own []string, env func(string) (string, bool), needed bool) (Key, error) {
	variables := keyVariables(m, own)
	for _, name := range variables {
		value, _ := env(name)
		value = strings.TrimSpace(value) // files end with a line break
		switch {
		case value == "":
			continue
		case value == noKey:
			return Key{Missing: name + " is " + noKey}, nil
		case !Visible(value):
			return Key{}, &model.CredentialError{
				Provider: m.Provider, Variables: []string{name},
				Problem: "it has a line break, a space or a character that no key has",
			}
		}

		return Key{Secret: value, Variable: name}, nil
	}
	if needed {
		return Key{}, &model.CredentialError{Provider: m.Provider, Variables: ownVariables(m, own)}
	}

	return Key{Missing: ownVariables(m, own)[0] + " is not set"}, nil
}

// keyVariables are the variables that may have the key; the first that is set counts: the role's, the provider's by our name and
// by its own.
func keyVariables(m model.Model, own []string) []string {
	var variables []string
	if m.Role != "" {
		role := "MODEL_" + VariableName(m.Role) + "_API_KEY"
		variables = append(variables, "AGENTC_"+role, "TAMA_"+role)
	}
	provider := VariableName(m.Provider)
	variables = append(variables, "AGENTC_PROVIDER_"+provider+"_API_KEY", "TAMA_PROVIDER_"+provider+"_API_KEY")

	return append(variables, ownVariables(m, own)...)
}

// ownVariables are the variables that everyone uses for the provider's key.
func ownVariables(m model.Model, own []string) []string {
	if own == nil {
		return []string{VariableName(m.Provider) + "_API_KEY"}
	}

	return own
}

// VariableName is a name as a part of a variable's.
func VariableName(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }

// Visible reports whether text can be in a header as it is: printable ASCII without spaces.
func Visible(text string) bool {
	return text != "" && !slices.ContainsFunc([]byte(text), func(c byte) bool { return c <= ' ' || c > '~' })
}

// timeoutOf is how long a call may take, by the environment.
func timeoutOf(m model.Model, env func(string) (string, bool)) (time.Duration, error) {
	name := "AGENTC_PROVIDER_" + VariableName(m.Provider) + "_TIMEOUT"
	value, _ := env(name)
	if value == "" {
		return defaultTimeout, nil
	}
	timeout, err := size.Duration(value)
	if err != nil || timeout <= 0 {
		return 0, &runtime.BadSettingError{Name: name, Value: value, Problem: "is not a duration above 0, such as 90s or 20m"}
	}

	return timeout, nil
}
