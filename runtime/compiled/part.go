package compiled

import "github.com/agentc-dev/agentc/runtime/model"

// Part is something that a binary carries besides run, because the project includes it (a line such as include: [mcp]). Package app
// says what a part has to have beside its name to be a command.
type Part interface {
	// Part is the word of the line.
	Part() string
}

// Openers is a [Part] that opens models: the function of each provider, by the part of provider:model before the first colon.
type Openers map[string]model.Opener

// Part implements [Part].
func (Openers) Part() string { return "providers" }
