package builtin

import (
	"cmp"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Provider is a provider of models that needs no setting.
type Provider struct {
	// Name is the word before the colon of provider:model.
	Name string
	// Path is the import path of the package whose type Part opens its models.
	Path string
	// Keys are the variables of its key; nil for servers without keys.
	Keys []string
	// Local is the address of its server on this machine; empty for a remote one.
	Local string
	// Begin are the beginnings of the names of its well-known models.
	Begin []string
}

// The packages that open models.
const (
	AnthropicPath = "github.com/agentc-dev/agentc/runtime/anthropic"
	// ChatPath opens the models of all providers that speak chat completions.
	ChatPath = "github.com/agentc-dev/agentc/runtime/providers/openai"
)

// Providers are the built-in providers, sorted by name.
var Providers = []Provider{
	{"anthropic", AnthropicPath, []string{"ANTHROPIC_API_KEY"}, "", []string{"claude-"}},
	{"gemini", ChatPath, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "", []string{"gemini-"}},
	{"google", ChatPath, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "", nil},
	{"llamacpp", ChatPath, nil, "http://localhost:8080/v1", nil},
	{"ollama", ChatPath, nil, "http://localhost:11434/v1", []string{"llama", "qwen", "gemma", "mistral", "phi"}},
	{"openai", ChatPath, []string{"OPENAI_API_KEY"}, "", []string{"gpt-", "chatgpt-", "o1", "o3", "o4"}},
	{"openrouter", ChatPath, []string{"OPENROUTER_API_KEY"}, "", nil},
	{"vllm", ChatPath, nil, "http://localhost:8000/v1", nil},
}

// ProviderPath returns the package that opens the models of a provider; ChatPath for one that is
// not built in.
func ProviderPath(name string) string { return cmp.Or(providerOf(name).Path, ChatPath) }

// ProviderKeys returns the variables of the key of a provider, and whether it is a built-in one.
func ProviderKeys(name string) (known bool, keys []string) {
	p := providerOf(name)

	return p.Name != "", p.Keys
}

// LocalAddress returns the address of a built-in provider on this machine; empty for any other.
func LocalAddress(name string) string { return providerOf(name).Local }

// providerOf returns a built-in provider; the zero Provider if there is none.
func providerOf(name string) Provider {
	return ir.First(Providers, func(p Provider) bool { return p.Name == name })
}

// NearestModel returns the name of a model, provider:model, that a text most likely means: the text
// has a slash after the provider, as other systems write it, or lacks the provider. ok is false if
// no provider is known for it.
func NearestModel(text string) (model string, ok bool) {
	provider, id, hasSlash := strings.Cut(text, "/")
	if hasSlash && providerOf(provider).Name != "" && id != "" {
		return provider + ":" + id, true
	}
	for _, p := range Providers {
		for _, beginning := range p.Begin {
			if !hasSlash && strings.HasPrefix(text, beginning) {
				return p.Name + ":" + text, true
			}
		}
	}

	return "", false
}
