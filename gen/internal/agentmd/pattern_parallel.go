package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// failedField is the field of the object of a parallel that says which workers failed.
const failedField = "_failed"

// parallel gives the same input to all workers, side by side, and finishes with an object of what they made of it.
func (b *flowBuilder) parallel() []ir.Op {
	workers := b.agents("workers", ir.Input{})
	if i := slices.IndexFunc(workers, func(r *ir.Run) bool { return r.Agent.Value == failedField }); i >= 0 {
		b.report(diag.New(diag.BadValue, workers[i].Agent.Span,
			"worker %q: the field of that name in the value says which workers failed", failedField))
	}

	return []ir.Op{
		&ir.Group{Var: "results", Limit: b.concurrency(), Runs: workers},
		&ir.Return{Key: ir.KeyDone, Var: "results", Form: ir.FormObject},
	}
}
