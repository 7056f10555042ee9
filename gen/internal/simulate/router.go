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
	// visits says how often a state was entered; nil where that is not known.
	visits func(state string) int
	// isDriven is set where the one who drives the machine chooses what comes with a key.
	isDriven bool
	// rows are those of each key, as it is written and folded, in the order in which they are
	// tried.
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
	// verdicts are what a script has of the guards that are asked before: those that are named,
	// since an expression needs no answer.
	verdicts []item
	// open is what decides if only a run shows it: the first expression among the guards of which
	// nothing is known before a run. What a named guard says a script can say.
	open string
}

// routes returns the rows that a key can take, in the order in which they are tried: of several,
// guards decide.
func (r *router) routes(key string) []route {
	rows, exact := r.rows[key]
	if !exact {
		rows = r.rows[ir.FoldKey(key)]
	}
	known := func(x *ir.Access) (any, bool) {
		switch {
		case x.Root == ir.RootVisits && len(x.Path) == 1 && r.visits != nil:
			return int64(r.visits(x.Path[0].Name.Value)), true
		case len(rows) > 0:
			return expr.KeyIs(rows[0].Key.Value)(x)
		}
		return nil, false
	}
	tried := slices.Concat(rows, r.rows[ir.CatchAll])
	if len(tried) > 0 && tried[0].When == nil {
		return []route{{row: tried[0]}} // as nearly always
	}
	found := decide(tried, known)
	if !r.isDriven {
		return found
	}
	for _, value := range valuesForGuards(tried) {
		for _, certain := range decide(tried, withValue(value, known)) {
			i := slices.IndexFunc(found, func(t route) bool { return t.row == certain.row })
			if i >= 0 && certain.open == "" {
				found[i] = certain
			}
		}
	}

	return found
}

// withValue adds to what is known the value that comes with a key.
func withValue(value workflow.Value, known expr.Known) expr.Known {
	return func(x *ir.Access) (any, bool) {
		switch {
		case x.Root == ir.RootData:
			return value.Get(x.PathNames()...), true
		case x.Root == ir.RootValue && len(x.Path) == 0:
			return said(value).Say, true
		}

		return known(x)
	}
}

// decide returns which of some rows can be the first whose guard holds, as far as names are known.
func decide(tried []*ir.Row, known expr.Known) []route {
	outcomes := flow.Choose(tried, known)
	var found []route
	at := route{}
	for i, row := range tried {
		canHold, canFail := true, row.When != nil
		if canFail && row.When.Formula != nil {
			canHold, canFail = expr.Judge(row.When.Formula.Root, known)
		}
		if outcomes.First[i] {
			found = append(found, at.with(row, true, canFail))
		}
		if !canFail {
			break
		}
		at = at.with(row, false, canHold)
	}

	return found
}

// with returns t with what the guard of one more row says; unsure says that it can say otherwise.
func (t route) with(row *ir.Row, holds, unsure bool) route {
	t.row = row
	switch guard := row.When; {
	case guard == nil:
	case guard.Func != nil:
		verdict := Turn{Value: strconv.FormatBool(holds != guard.Not)}
		t.verdicts = append(slices.Clone(t.verdicts), item{kind: kindVerdict, name: guard.Func.Name.Value, turn: verdict})
	case t.open == "" && unsure:
		t.open = fmt.Sprintf("the guard %q", guard.Text.Value)
	}

	return t
}
