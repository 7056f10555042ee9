package client

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
)

// variable is how a header names a variable; with a dollar more before it, it is itself.
var variable = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// variableNames returns the names of the variables that the server is given, sorted.
func (s Server) variableNames() []string {
	names := slices.Clone(s.Env)
	for _, h := range s.Headers {
		for _, found := range variable.FindAllString(h.Value, -1) {
			if name, ok := strings.CutPrefix(found, "${"); ok {
				names = append(names, strings.TrimSuffix(name, "}"))
			}
		}
	}
	slices.Sort(names)

	return slices.Compact(names)
}

// fillVariables returns the value of a header with the values of its variables.
func fillVariables(value string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(value, func(found string) string {
		if name, ok := strings.CutPrefix(found, "${"); ok {
			return values[strings.TrimSuffix(name, "}")]
		}

		return found[1:]
	})
}

// readVariables looks the variables of the server up. Those that are missing are empty: that they are set is checked when a run starts.
func (s Server) readVariables(env func(string) (string, bool)) map[string]string {
	values := map[string]string{}
	for _, name := range s.variableNames() {
		values[name], _ = env(name)
	}

	return values
}

// secretsOf takes the values of variables out of texts.
func secretsOf(values map[string]string) *redact.Redactor {
	var secrets []redact.Secret
	for name, value := range values {
		secrets = append(secrets, redact.Secret{Name: name, Value: value})
	}

	return redact.New(secrets...)
}
