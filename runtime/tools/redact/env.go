package redact

import "strings"

// keySuffix ends the names of variables that hold keys of providers.
const keySuffix = "_API_KEY"

// Variables are the secrets of a process: the values of declared variables, as env has them, and of those variables of environ
// (as os.Environ returns them) that hold a key of a provider, such as OPENAI_API_KEY.
func Variables(declared []string, env func(name string) (value string, ok bool), environ []string) []Secret {
	var secrets []Secret
	for _, name := range declared {
		if value, ok := env(name); ok {
			secrets = append(secrets, Secret{name, value})
		}
	}
	for _, variable := range environ {
		if name, value, ok := strings.Cut(variable, "="); ok && strings.HasSuffix(name, keySuffix) {
			secrets = append(secrets, Secret{name, value})
		}
	}

	return secrets
}
