package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// partsOf returns the parts that the binary carries besides run, in the order of `include`.
func partsOf(p *ir.Program) []jen.Code {
	var parts []jen.Code
	for _, word := range p.Include {
		if path, known := names.PartPath(word.Value); known {
			parts = append(parts, jen.Qual(path, "Part").Values())
		}
	}

	return parts
}
