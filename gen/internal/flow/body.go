package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asks reports whether a step of a pipeline asks a person; what a machine inside of it asks is asked
// in a state of that.
func asks(p *ir.Pipeline) bool { return slices.ContainsFunc(p.Steps(), taskAsks) }

func taskAsks(t *ir.Task) bool {
	if t.Fallback != nil && taskAsks(t.Fallback) {
		return true
	}
	switch t.Do.(type) {
	case *ir.Ask:
		return true
	case *ir.Machine:
		return false
	}

	return slices.ContainsFunc(t.Pipelines(), asks)
}
