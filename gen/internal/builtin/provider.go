package builtin

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Provider is a provider of models that needs no setting.
type Provider struct {
	// Name is the word before the colon of provider:model.
	Name string
	// Path is the import path of the package whose type Part opens its models.
	Path string
	// Keys are the variables of its key; none for servers that need none.
	Keys []string
}

// The packages that open models.
const (
	AnthropicPath = "github.com/agentc-dev/agentc/runtime/anthropic"
	// ChatPath is that of all providers that speak chat completions.
	ChatPath = "github.com/agentc-dev/agentc/runtime/openai"
)

// Providers are the built-in providers, sorted by name.
var Providers = []Provider{
	{"anthropic", AnthropicPath, []string{"ANTHROPIC_API_KEY"}},
	{"gemini", ChatPath, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	{"google", ChatPath, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	{"llamacpp", ChatPath, nil},
	{"ollama", ChatPath, nil},
	{"openai", ChatPath, []string{"OPENAI_API_KEY"}},
	{"openrouter", ChatPath, []string{"OPENROUTER_API_KEY"}},
	{"vllm", ChatPath, nil},
}

// ProviderPath is the package that opens the models of a provider: chat completions for one that is not built in.
func ProviderPath(name string) string { return cmp.Or(providerOf(name).Path, ChatPath) }

// ProviderKeys returns the variables of the key of a provider, and whether it is a built-in one.
func ProviderKeys(name string) (known bool, keys []string) {
	p := providerOf(name)

	return p.Name != "", p.Keys
}

// providerOf returns a built-in provider; the zero Provider if there is none.
func providerOf(name string) Provider {
	return ir.First(Providers, func(p Provider) bool { return p.Name == name })
}
