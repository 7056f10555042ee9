package redact

import "strings"

// Variables returns the secrets of a process: the values of the declared variables, according to env, and of those
// variables in environ (as os.Environ returns them) that contain a key, such as OPENAI_API_KEY, or credentials for
// agentc itself, such as AGENTC_SERVE_TOKENS.
func Variables(declared []string, env func(name string) (value string, ok bool), environ []string) []Secret {
	var secrets []Secret
	for _, name := range declared {
		if value, ok := env(name); ok {
			secrets = append(secrets, Secret{name, value})
		}
	}
	for _, variable := range environ {
		name, value, ok := strings.Cut(variable, "=")
		switch {
		case ok && IsKey(name):
			secrets = append(secrets, Secret{name, value})
		case ok && hasSeveral(name):
			secrets = append(secrets, several(name, value)...)
		}
	}

	return secrets
}

// hasSeveral reports whether a variable defines the callers of a server, as AGENTC_SERVE_TOKENS and
// AGENTC_MCP_TOKENS do.
func hasSeveral(name string) bool {
	return strings.HasPrefix(name, "AGENTC_") && strings.HasSuffix(name, "_TOKENS")
}

// several are the tokens of a text of the form NAME=TOKEN NAME=TOKEN.
func several(name, text string) []Secret {
	var secrets []Secret
	for _, word := range strings.Fields(text) {
		if _, value, ok := strings.Cut(word, "="); ok {
			secrets = append(secrets, Secret{name, value})
		}
	}

	return secrets
}

// callerToken is the variable with the token of a caller at the command line.
const callerToken = "AGENTC_TOKEN"

// IsKey reports whether a variable contains a key, judging by its name: that of a model provider, or any similar
// name, or the token of a caller.
func IsKey(name string) bool {
	return name == callerToken || strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_AUTH_TOKEN")
}
