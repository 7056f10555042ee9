package verify

import (
	"path"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// partsOf returns the parts of the program as they are written.
func partsOf(p *ir.Program) []string {
	var parts []string
	for _, word := range p.Include {
		if imported, known := names.PartPath(word.Value); known {
			parts = append(parts, path.Base(imported)+".Part{}")
		}
	}

	return parts
}
