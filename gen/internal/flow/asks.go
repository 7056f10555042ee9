package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asksPerson reports whether a step of a pipeline asks a person. Questions of a machine inside of
// it belong to the machine's states.
func asksPerson(p *ir.Pipeline) bool {
	return slices.Contains(ir.Fold(p, func(op ir.Op, inside []bool) bool {
		switch op.(type) {
		case *ir.Ask:
			return true
		case *ir.Machine:
			return false
		}

		return slices.Contains(inside, true)
	}), true)
}
