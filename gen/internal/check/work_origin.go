package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// originInWorkflow returns the end state that is the outcome key of a workflow, or that it can end with done.
func (u *unit) originInWorkflow(a *ir.Agent, w *ir.Workflow, key string) *origin {
	done, ends := u.flow.OfWorkflow(w)
	for _, end := range ends {
		if ir.FoldKey(end.Value) == ir.FoldKey(key) {
			return &origin{end.Span, end.Value, fmt.Sprintf("workflow %q ends in state %q", a.Name.Value, end.Value)}
		}
	}
	if !done {
		return nil
	}
	says := fmt.Sprintf("workflow %q finishes with %q", a.Name.Value, ir.DoneKey)
	if len(ends) > 0 {
		says += " where the fallback of its last step does not run"
	}

	return &origin{a.Name.Span, ir.DoneKey, says}
}
