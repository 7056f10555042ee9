package names

import (
	"cmp"
	"path"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Opener is a provider that the project names, and the package whose function Open opens its models.
type Opener struct {
	Provider string
	// Path is the import path of the package, and Name what the generated file calls it.
	Path, Name string
}

// Openers returns the providers that the project names, sorted.
func Openers(p *ir.Program) []Opener {
	paths := map[string]string{}
	for _, provider := range p.Providers {
		paths[provider.Name.Value] = provider.Import.Value
	}
	var openers []Opener
	for _, provider := range p.ProviderNames() {
		at := cmp.Or(paths[provider], builtin.ProviderPath(provider))
		openers = append(openers, Opener{Provider: provider, Path: at, Name: openerName(at, provider)})
	}

	return openers
}

// openerName is what the generated file calls a package: a foreign one after the provider, because its own name is not known.
func openerName(at, provider string) string {
	if at == builtin.AnthropicPath || at == builtin.ChatPath {
		return path.Base(at)
	}

	return "provider" + Part(provider)
}
