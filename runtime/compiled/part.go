package compiled

import "github.com/agentc-dev/agentc/runtime/model"

// Part is an optional part of a binary, which the project includes by a line such as include: [mcp]. Package app
// documents the methods with which a part adds commands.
type Part interface {
	// Part returns the word of that line.
	Part() string
}

// Openers is a [Part] that opens models: one function for each provider, by the part of provider:model before the
// first colon.
type Openers map[string]model.Opener

// Part implements [Part].
func (Openers) Part() string { return "providers" }
