package simulate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// router finds the rows of a key.
type router struct {
	// visitCount returns how often a state was entered; nil if that is not known.
	visitCount func(state string) int
	// isDriven is set if the code that drives the machine chooses the value with a key.
	isDriven bool
	// rows are the rows of each key, as written and folded, in the order in which they are tried.
	rows map[string][]*ir.Row
}

func newRouter(s *ir.State) *router {
	r := &router{rows: make(map[string][]*ir.Row, len(s.Rows))}
	for _, rows := range s.RowsByKey() {
		r.rows[rows[0].Key.Value] = rows
	}
	for _, row := range s.Rows {
		if fold := ir.FoldKey(row.Key.Value); r.rows[fold] == nil {
			r.rows[fold] = r.rows[row.Key.Value]
		}
	}

	return r
}

// route is a row that a key can take.
type route struct {
	row *ir.Row
	// verdicts are the script's answers for the named guards that are asked before the row.
	verdicts []item
	// open describes what decides if only a run shows it: the first expression guard whose result
	// is not known. A script can answer for a named guard.
	open string
}

// routesFor returns the rows that a key can take, in the order in which they are tried. Guards
// decide between several.
func (r *router) routesFor(key string) []route {
	rows, exact := r.rows[key]
	if !exact {
		rows = r.rows[ir.FoldKey(key)]
	}
	known := func(x *ir.Access) (any, bool) {
		switch {
		case x.Root == ir.RootVisits && len(x.Path) == 1 && r.visitCount != nil:
			return int64(r.visitCount(x.Path[0].Name.Value)), true
		case len(rows) > 0:
			return expr.KeyIs(rows[0].Key.Value)(x)
		}
		return nil, false
	}
	tried := slices.Concat(rows, r.rows[ir.CatchAll])
	if len(tried) > 0 && tried[0].When == nil {
		return []route{{row: tried[0]}} // the usual case
	}
	found := possibleRoutes(tried, known)
	if !r.isDriven {
		return found
	}
	for _, value := range guardValues(tried) {
		for _, certain := range possibleRoutes(tried, withValue(value, known)) {
			i := slices.IndexFunc(found, func(t route) bool { return t.row == certain.row })
			if i >= 0 && certain.open == "" {
				found[i] = certain
			}
		}
	}

	return found
}

// withValue adds the value of a key to the known values.
func withValue(value workflow.Value, known expr.Known) expr.Known {
	return func(x *ir.Access) (any, bool) {
		switch {
		case x.Root == ir.RootData:
			return value.Get(x.PathNames()...), true
		case x.Root == ir.RootValue && len(x.Path) == 0:
			return sayTurn(value).Say, true
		}

		return known(x)
	}
}

// possibleRoutes returns the rows that can be the first whose guard holds, given the known values.
func possibleRoutes(tried []*ir.Row, known expr.Known) []route {
	outcomes := flow.ChooseRow(tried, known)
	var found []route
	at := route{}
	for i, row := range tried {
		canHold, canFail := true, row.When != nil
		if canFail && row.When.Formula != nil {
			canHold, canFail = expr.Judge(row.When.Formula.Root, known)
		}
		if outcomes.First[i] {
			found = append(found, at.withGuard(row, true, canFail))
		}
		if !canFail {
			break
		}
		at = at.withGuard(row, false, canHold)
	}

	return found
}

// withGuard returns t with the result of one more guard. isUnsure is true if the guard can have the
// opposite result.
func (t route) withGuard(row *ir.Row, holds, isUnsure bool) route {
	t.row = row
	switch guard := row.When; {
	case guard == nil:
	case guard.Func != nil:
		verdict := Turn{Value: strconv.FormatBool(holds != guard.Not)}
		t.verdicts = append(slices.Clone(t.verdicts), item{kind: kindVerdict, name: guard.Func.Name.Value, turn: verdict})
	case t.open == "" && isUnsure:
		t.open = fmt.Sprintf("the guard %q", guard.Text.Value)
	}

	return t
}
