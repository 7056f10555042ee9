package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// catchAllNotLast finds a catch-all with rows behind it. A row behind it would still be chosen by an exact key, so that
// reading from top to bottom would mislead; a second catch-all is duplicate-transition.
var catchAllNotLast = Pass{Name: "catch-all-not-last", run: func(u *unit) {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, s := range x.States {
			if catchAll, later := rowBehindCatchAll(s); later != nil {
				u.report(diag.New(diag.CatchAllNotLast, catchAll.Key.Span,
					`"*" stands before the row %q in state %q of machine %q`, later.Key.Value, s.Name.Value, x.name()).
					WithHint(`make "*" the last row`).
					Note(later.Key.Span, "this row stands behind it"))
			}
		}
	}
	reported := map[*ir.Row]bool{}
	u.workRowsBehind(func(x *machine, first, row *ir.Row, catchAll bool) {
		if catchAll {
			u.hiddenRows[row] = true
		}
		if catchAll && !reported[first] {
			reported[first] = true
			u.report(x.behindCatchAll(first, row))
		}
	})
}}

// rowBehindCatchAll returns the catch-all and the first row with a key that stands behind it; nil if there is no such row.
func rowBehindCatchAll(s *ir.State) (catchAll, later *ir.Row) {
	for _, row := range s.Rows {
		switch {
		case row.IsCatchAll() && catchAll == nil:
			catchAll = row
		case !row.IsCatchAll() && catchAll != nil:
			return catchAll, row
		}
	}

	return nil, nil
}
