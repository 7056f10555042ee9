package anthropic

import (
	"github.com/agentc-dev/agentc/runtime/model"
)

// Part is what a program carries whose roles name providers that speak Anthropic's messages.
type Part struct {
	// Names are the providers; none stands for anthropic.
	Names []string
}

// Part implements compiled.Part.
func (Part) Part() string { return "anthropic" }

// Openers implements core.ModelSource.
func (p Part) Openers() map[string]model.Opener {
	names := p.Names
	if len(names) == 0 {
		names = []string{"anthropic"}
	}
	openers := make(map[string]model.Opener, len(names))
	for _, name := range names {
		openers[name] = Open
	}

	return openers
}
