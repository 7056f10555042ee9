package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// catchAllNotLast finds a catch-all row that is not the last row. An exact key still selects a row
// after it, so the order of the rows would mislead. A second catch-all is duplicate-transition.
var catchAllNotLast = Pass{Name: "catch-all-not-last", run: func(u *unit) {
	u.eachState(func(x *machine, s *ir.State) {
		catchAll := slices.IndexFunc(s.Rows, (*ir.Row).IsCatchAll)
		later := slices.IndexFunc(s.Rows[catchAll+1:], func(row *ir.Row) bool { return !row.IsCatchAll() })
		if catchAll >= 0 && later >= 0 {
			behind := s.Rows[catchAll+1+later]
			u.report(diag.New(diag.CatchAllNotLast, s.Rows[catchAll].Key.Span,
				`"*" is before the row %q in state %q of machine %q`, behind.Key.Value, s.Name.Value, x.name()).
				WithHint(`make "*" the last row`).
				Note(behind.Key.Span, "this row is behind it"))
		}
	})
	u.reportHidden(diag.CatchAllNotLast)
}}
