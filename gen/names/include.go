package names

import "github.com/agentc-dev/agentc/gen/ir"

// Included is what a word of `include` brings into a binary.
type Included struct {
	// Path is the import path of its package, whose type Part stands in the program.
	Path string
	// Module says that the package is a Go module of its own.
	Module bool
	// Drives says that it drives live machines, which the program then carries.
	Drives bool
}

// PartOf returns what a word of `include` brings into a binary. ok is false for a word that brings nothing.
func PartOf(word string) (part Included, ok bool) {
	switch word {
	case "mcp":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/mcp", Module: true, Drives: true}, true
	case "otel":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/otel", Module: true}, true
	case "serve":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/serve"}, true
	}

	return Included{}, false
}

// Drives reports whether one of the words of `include` brings a part that drives live machines.
func Drives(include []ir.Text) bool {
	for _, word := range include {
		if part, _ := PartOf(word.Value); part.Drives {
			return true
		}
	}

	return false
}
