package tools

import "github.com/agentc-dev/agentc/runtime/internal/engine/redact"

// Redact returns a function that removes the secrets of a process from texts: the values of the declared variables,
// according to env, and of those variables in environ (as os.Environ returns them) that contain keys.
func Redact(declared []string, env func(name string) (value string, ok bool), environ []string) func(text string) string {
	return redact.New(redact.Variables(declared, env, environ)...).Text
}
