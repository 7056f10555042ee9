package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// endedGates finds rows of gates that end the gate without ending its agent, which may not even finish then.
func (u *unit) endedGates() {
	for _, x := range u.machines {
		if x.gate == nil || x.Partial || !x.places(ir.FinishAction) || x.ungates(ir.FinishAction) {
			continue
		}
		for _, s := range x.States {
			for _, row := range s.Rows {
				if row.End && !x.endsBy(row) {
					u.report(diag.New(diag.NoExit, row.Key.Span, "agent %q cannot finish once it has called %q in state %q: its gate ends there",
						x.name(), row.Key.Value, s.Name.Value).
						WithHint("only finish leads to ~: lead to a state that has a row for it"))
				}
			}
		}
	}
}
