package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unreadBeforeWritten finds outputs that are read where no run can have written them: in a state
// that none behind their step leads to. What the order of the steps alone says is found when they
// are read.
var unreadBeforeWritten = Pass{Name: "unread-before-written", run: func(u *unit) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		for _, read := range u.flow.Unwritten(w) {
			name := read.Output.Name
			u.report(diag.New(diag.UnreadBeforeWritten, read.Span, "step %q cannot have run when its output is read here", name.Value).
				Note(name.Span, "no path through the rows leads from step %q to this place", name.Value))
		}
	})
}}
