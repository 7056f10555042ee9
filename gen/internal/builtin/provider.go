package builtin

// Provider is a provider of models that needs no setting.
type Provider struct {
	// Name is the word before the colon of provider:model.
	Name string
	// Path is the import path of the package whose type Part opens its models.
	Path string
}

// The packages that open models.
const (
	AnthropicPath = "github.com/agentc-dev/agentc/runtime/anthropic"
	// ChatPath is that of all providers that speak chat completions.
	ChatPath = "github.com/agentc-dev/agentc/runtime/openai"
)

// Providers are the built-in providers, sorted by name.
var Providers = []Provider{
	{"anthropic", AnthropicPath},
	{"gemini", ChatPath},
	{"google", ChatPath},
	{"llamacpp", ChatPath},
	{"ollama", ChatPath},
	{"openai", ChatPath},
	{"openrouter", ChatPath},
	{"vllm", ChatPath},
}

// ProviderPath is the package that opens the models of a provider: chat completions for one that is not built in.
func ProviderPath(name string) string {
	if p, ok := find(Providers, func(p Provider) bool { return p.Name == name }); ok {
		return p.Path
	}

	return ChatPath
}
