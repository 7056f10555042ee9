package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// shadowedTransition finds rows with a guard that are never asked: a row of their key without one is tried before them, or one
// with the same guard, which has said no by then. A second row without a guard is duplicate-transition.
var shadowedTransition = Pass{Name: "shadowed-transition", run: func(u *unit) {
	for _, h := range u.hidden {
		if h.machine.task == nil && h.row.When != nil {
			u.report(h.machine.shadowed(h.state, h.first, h.row))
		}
	}
}}

func (x *machine) shadowed(s *ir.State, first, row *ir.Row) *diag.Diagnostic {
	d := diag.New(diag.ShadowedTransition, row.Key.Span, "the guard %q of a row for %q in state %q of machine %q is never asked",
		row.When.Text.Value, row.Key.Value, s.Name.Value, x.name())
	if first.When != nil {
		return d.WithHint("the same guard has been asked before").
			Note(first.Key.Span, "this row for %q, which is tried before it, has that guard too", row.Key.Value)
	}
	d.Note(first.Key.Span, "this row for %q has no guard, and is tried before it", row.Key.Value)
	if first.Priority > row.Priority {
		return d.WithHint("give it a priority above %d", first.Priority)
	}

	return d.WithHint("write it before the row without a guard, or give it a higher priority")
}
