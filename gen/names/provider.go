package names

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
)

// Opener is a package whose type Part opens the models of providers.
type Opener struct {
	// Path is its import path.
	Path string
	// Providers are those that the part is told of, sorted; none for a package that has one provider only.
	Providers []string
}

const (
	anthropic     = "anthropic"
	anthropicPath = "github.com/agentc-dev/agentc/runtime/anthropic"
	openaiPath    = "github.com/agentc-dev/agentc/runtime/openai"
)

// Openers returns what opens the models of the providers that the project names, sorted by path. Whoever is not Anthropic speaks
// chat completions.
func Openers(p *ir.Program) []Opener {
	var openers []Opener
	providers := p.ProviderNames()
	if slices.Contains(providers, anthropic) {
		openers = append(openers, Opener{Path: anthropicPath})
	}
	rest := slices.DeleteFunc(providers, func(name string) bool { return name == anthropic })
	if len(rest) > 0 {
		openers = append(openers, Opener{Path: openaiPath, Providers: rest})
	}

	return openers
}
