package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workRowsBehind finds rows of machines in workflows that are never taken because one before them always is: a second one for
// the same event of a state is duplicate-transition, one behind a row from "*" catch-all-not-last.
func (u *unit) workRowsBehind(found func(x *machine, first, row *ir.Row, catchAll bool)) {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		before := earlierRows{}
		for _, row := range x.Machine.Rows() {
			if row.From.State == nil && !row.FromAny() || row.From.State != nil && row.From.State.End {
				continue
			}
			first, catchAll := before.hides(row)
			if first != nil {
				found(x, first, row, catchAll)
			}
			before.add(row)
		}
	}
}

// earlierRows are the first rows of each kind.
type earlierRows map[rowKind]*ir.Row

// rowKind is what two rows have in common of which the second one is never taken.
type rowKind struct {
	from  *ir.State // nil for "*"
	on    string
	guard string // "" without one
}

func kindOfRow(row *ir.Row) rowKind {
	kind := rowKind{from: row.From.State, on: row.Key.Value}
	if row.When != nil {
		kind.guard = row.When.Text.Value
	}

	return kind
}

func (e earlierRows) add(row *ir.Row) {
	if kind := kindOfRow(row); e[kind] == nil {
		e[kind] = row
	}
}

// hides returns the row because of which another one is never taken; catchAll says that it is one from "*" and the other is not.
func (e earlierRows) hides(row *ir.Row) (first *ir.Row, catchAll bool) {
	kind := kindOfRow(row)
	for _, guard := range []string{"", kind.guard} {
		if first := e[rowKind{kind.from, kind.on, guard}]; first != nil {
			return first, false
		}
	}
	for _, guard := range []string{"", kind.guard} {
		if first := e[rowKind{nil, kind.on, guard}]; first != nil {
			return first, true
		}
	}

	return nil, false
}

// secondWorkRow is the finding for a row that a row of the same state hides.
func (x *machine) secondWorkRow(first, row *ir.Row) *diag.Diagnostic {
	guard := ""
	if row.When != nil && first.When != nil {
		guard = " with the same guard"
	}

	return diag.New(diag.DuplicateTransition, row.Key.Span, "machine %q has a second row on %s %s%s",
		x.name(), row.Key.Value, outOf(row), guard).
		WithHint("it would never be chosen").
		Note(first.Key.Span, "the first row %s", leadsTo(first))
}

// behindCatchAll is the finding for a row from "*" that hides one from a state.
func (x *machine) behindCatchAll(first, row *ir.Row) *diag.Diagnostic {
	return diag.New(diag.CatchAllNotLast, first.From.Span, `the row from "*" on %s stands before the one from %q in machine %q`,
		row.Key.Value, row.From.Value, x.name()).
		WithHint(`put rows from "*" behind those from states`).
		Note(row.From.Span, "this row would never be chosen")
}

// outOf says from where a row leads.
func outOf(row *ir.Row) string { return fmt.Sprintf("from %q", row.From.Value) }

// leadsTo says where a row leads.
func leadsTo(row *ir.Row) string { return fmt.Sprintf("leads to %q", row.To.Value) }
