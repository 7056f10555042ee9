package openai

import "testing"

// Providers that the compiler takes for built in have an address without a setting.
func TestBuiltInProvidersHaveAnAddress(t *testing.T) {
	for _, name := range []string{"gemini", "google", "llamacpp", "ollama", "openai", "openrouter", "vllm"} {
		if kindOf(name).baseURL == "" {
			t.Errorf("%s has no address", name)
		}
	}
}
