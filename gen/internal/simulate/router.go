package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// router finds the rows of a key.
type router struct {
	// visits says how often a state was entered; nil where that is not known.
	visits func(state string) int
	// rows are those of each key, as it is written and folded, in the order in which they are tried.
	rows map[string][]*ir.Row
}

func newRouter(s *ir.State) *router {
	r := &router{rows: make(map[string][]*ir.Row, len(s.Rows))}
	for _, rows := range s.ByKey() {
		r.rows[rows[0].Key.Value] = rows
	}
	for _, row := range s.Rows {
		if fold := ir.FoldKey(row.Key.Value); r.rows[fold] == nil {
			r.rows[fold] = r.rows[row.Key.Value]
		}
	}

	return r
}

// route is a row that a key can take, and what the guards say then that are asked before.
type route struct {
	row  *ir.Row
	said sayings
	// open is what decides if only a run shows it: the first expression among the guards of which nothing is known before a run.
	// What a named guard says a script can say.
	open string
}

// sayings are what guards say that are asked one after the other.
type sayings []saying

// saying is a guard that is asked, and whether it holds.
type saying struct {
	guard *ir.Guard
	holds bool
}

// String returns them as conditions: plan-is-good, not plan-is-long.
func (s sayings) String() string {
	texts := make([]string, len(s))
	for i, said := range s {
		texts[i] = said.String()
	}

	return strings.Join(texts, ", ")
}

// String returns what has to be so: the guard, or that it does not hold.
func (s saying) String() string {
	text := strings.TrimSpace(s.guard.Text.Value)
	name, inverted := strings.CutPrefix(text, "not ")
	switch {
	case s.holds:
		return text
	case s.guard.Func != nil && inverted:
		return strings.TrimSpace(name)
	case s.guard.Func != nil:
		return "not " + text
	}

	return "not (" + text + ")"
}

// items are what a script has of the guards: those that are named, since an expression needs no answer.
func (t route) items() []item {
	var items []item
	for _, said := range t.said {
		if f := said.guard.Func; f != nil {
			value := strconv.FormatBool(said.holds != said.guard.Not)
			items = append(items, item{kind: kindVerdict, name: f.Name.Value, turn: Turn{Value: value}})
		}
	}

	return items
}

// routes returns the rows that a key can take, in the order in which they are tried: of several, guards decide.
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
	first, _ := flow.Choose(tried, known)
	var found []route
	at := route{}
	for i, row := range tried {
		canHold, canFail := true, row.When != nil
		if canFail && row.When.Formula != nil {
			canHold, canFail = expr.Judge(row.When.Formula.Root, known)
		}
		if first[i] {
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
	if row.When == nil {
		return t
	}
	t.said = append(slices.Clone(t.said), saying{row.When, holds})
	if t.open == "" && row.When.Func == nil && unsure {
		t.open = fmt.Sprintf("the guard %q", row.When.Text.Value)
	}

	return t
}
