package openai

import (
	"github.com/agentc-dev/agentc/runtime/model"
)

// Part is what a program carries whose roles name providers that speak chat completions.
type Part struct {
	// Names are the providers, such as openai and ollama.
	Names []string
}

// Part implements compiled.Part.
func (Part) Part() string { return "openai" }

// Openers implements core.ModelSource.
func (p Part) Openers() map[string]model.Opener {
	openers := make(map[string]model.Opener, len(p.Names))
	for _, name := range p.Names {
		openers[name] = Open
	}

	return openers
}
