package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asks reports whether a step of a pipeline asks a person; what a machine inside of it asks is asked
// in a state of that.
func asks(p *ir.Pipeline) bool {
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
