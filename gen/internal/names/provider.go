package names

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Opener is a package whose type Part opens the models of providers.
type Opener struct {
	// Path is its import path, and Name what the generated file calls it.
	Path, Name string
	// Providers are those whose models it opens, sorted.
	Providers []string
}

// Openers returns what opens the models of the providers that the project names, sorted by path.
func Openers(p *ir.Program) []Opener {
	paths := map[string]string{}
	for _, provider := range p.Providers {
		paths[provider.Name.Value] = provider.Import.Value
	}
	var openers []Opener
	for _, provider := range p.ProviderNames() {
		at := paths[provider]
		if at == "" {
			at = builtin.ProviderPath(provider)
		}
		i := slices.IndexFunc(openers, func(o Opener) bool { return o.Path == at })
		if i < 0 {
			i, openers = len(openers), append(openers, Opener{Path: at, Name: openerName(at, provider)})
		}
		openers[i].Providers = append(openers[i].Providers, provider)
	}
	slices.SortFunc(openers, func(a, b Opener) int { return strings.Compare(a.Path, b.Path) })

	return openers
}

// openerName is what the generated file calls a package: a foreign one after the provider, because its own name is not known.
func openerName(at, provider string) string {
	if at == builtin.AnthropicPath || at == builtin.ChatPath {
		return path.Base(at)
	}
	name := "provider" + Part(provider)
	if !token.IsIdentifier(name) {
		return "provider"
	}

	return name
}
