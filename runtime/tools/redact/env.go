package redact

import "strings"

// Variables are the secrets of a process: the values of declared variables, as env has them, and of those variables of environ
// (as os.Environ returns them) that hold a key, such as OPENAI_API_KEY.
func Variables(declared []string, env func(name string) (value string, ok bool), environ []string) []Secret {
	var secrets []Secret
	for _, name := range declared {
		if value, ok := env(name); ok {
			secrets = append(secrets, Secret{name, value})
		}
	}
	for _, variable := range environ {
		if name, value, ok := strings.Cut(variable, "="); ok && IsKey(name) {
			secrets = append(secrets, Secret{name, value})
		}
	}

	return secrets
}

// IsKey reports whether a variable holds a key, by its name: that of a provider of models, or of whatever else is called so.
func IsKey(name string) bool {
	return strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_AUTH_TOKEN")
}
