package openai

import (
	"net/url"
	"strings"
)

// kind is what is known of a provider by its name.
type kind struct {
	// baseURL is its address unless another is configured; "" if one has to be. baseURLVariable is where its own libraries read one.
	baseURL, baseURLVariable string
	// keys are the variables of its key, besides those that every provider has; nil: NAME_API_KEY.
	keys []string
	// completionTokens reports whether it calls the bound of a reply max_completion_tokens, as
	// newer models of OpenAI demand.
	completionTokens bool
	// signs reports whether it signs its thoughts and wants the signatures back.
	signs bool
	// bills reports whether its replies have the cost of a turn, in US dollars.
	bills bool
	// headers are sent to its own address, if their variables are set.
	headers []headerFrom
}

type headerFrom struct{ header, variable string }

// gemini is known by two names.
var gemini = kind{
	baseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
	keys:    []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, signs: true,
}

// kindOf is what is known of a provider.
func kindOf(provider string) kind {
	switch provider {
	case "openai":
		return kind{
			baseURL: "https://api.openai.com/v1", baseURLVariable: "OPENAI_BASE_URL", keys: []string{"OPENAI_API_KEY"},
			completionTokens: true,
			headers:          []headerFrom{{"OpenAI-Organization", "OPENAI_ORG_ID"}, {"OpenAI-Project", "OPENAI_PROJECT_ID"}},
		}
	case "gemini", "google":
		return gemini
	case "ollama":
		return kind{baseURL: "http://localhost:11434/v1"}
	case "vllm":
		return kind{baseURL: "http://localhost:8000/v1"}
	case "openrouter":
		return kind{baseURL: "https://openrouter.ai/api/v1", bills: true}
	case "llamacpp":
		return kind{baseURL: "http://localhost:8080/v1", keys: []string{"LLAMA_API_KEY"}}
	}

	return kind{}
}

// completions is what every server calls the thing that this package asks for.
const completions = "/chat/completions"

// pathOf is where completions are asked for. Of an address without a path the interface begins where it does at the provider's own
// address, else at /v1.
func (k kind) pathOf(base string) string {
	if base == "" {
		base = "/v1"
		if own, err := url.Parse(k.baseURL); err == nil && own.Path != "" {
			base = own.Path
		}
	}

	return strings.TrimSuffix(base, completions) + completions
}
