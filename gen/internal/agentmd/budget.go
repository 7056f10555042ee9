package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// budgetOf reads the budget of an agent. A machine that others drive runs nothing that could spend it.
func (l *loader) budgetOf(d *document) *ir.Budget {
	f := d.head.Get("budget")
	if f == nil {
		return nil
	}
	if d.agent.Driven() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span,
			"field %q is not used: a machine that others drive spends nothing", f.Key.Text))

		return nil
	}

	return l.Budget(f.Value)
}
