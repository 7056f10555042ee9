package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unreadBeforeWritten finds outputs that are read in a state which no run reaches after the step
// that writes them. Reads that the order of the steps rules out are reported when they are parsed.
var unreadBeforeWritten = Pass{Name: "unread-before-written", run: func(u *unit) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		for _, read := range u.flow.Unwritten(w) {
			name := read.Output.Name
			u.report(diag.New(diag.UnreadBeforeWritten, read.Span, "step %q cannot have run when its output is read here", name.Value).
				Note(name.Span, "no path through the rows leads from step %q to this place", name.Value))
		}
	})
}}
