package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// router finds the rows of a key. Rows are numbers; those of one key are in the order in which they are tried.
type router struct {
	state *ir.State
	// visits says how often a state was entered; nil where that is not known.
	visits        func(state string) int
	exact, folded map[string][]int
	catchAll      []int
}

func newRouter(s *ir.State) *router {
	r := &router{state: s, exact: make(map[string][]int, len(s.Rows)), folded: make(map[string][]int, len(s.Rows))}
	for i, row := range s.Rows {
		r.exact[row.Key.Value] = append(r.exact[row.Key.Value], i)
	}
	for _, rows := range r.exact {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(s.Rows[b].Priority, s.Rows[a].Priority) })
	}
	r.catchAll = r.exact[ir.CatchAll]
	delete(r.exact, ir.CatchAll)
	for _, row := range s.Rows {
		if fold := ir.FoldKey(row.Key.Value); !row.IsCatchAll() && r.folded[fold] == nil {
			r.folded[fold] = r.exact[row.Key.Value]
		}
	}

	return r
}

// route is a row that a key can take, and what the guards say then that are asked before.
type route struct {
	row  int
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
	rows, exact := r.exact[key]
	if !exact {
		rows = r.folded[ir.FoldKey(key)]
	}
	known := expr.Known(nil)
	if len(rows) > 0 {
		known = expr.KeyIs(r.state.Rows[rows[0]].Key.Value)
	}
	says := func(guard *ir.Guard) (canHold, canFail bool) {
		if guard.Formula == nil {
			return true, true
		}
		return expr.Judge(guard.Formula.Root, func(x *ir.Access) (any, bool) {
			if x.Root == ir.RootVisits && len(x.Path) == 1 && r.visits != nil {
				return int64(r.visits(x.Path[0].Name.Value)), true
			}
			if known == nil {
				return nil, false
			}
			return known(x)
		})
	}
	var found []route
	at := route{}
	for _, i := range slices.Concat(rows, r.catchAll) {
		at.row = i
		guard := r.state.Rows[i].When
		if guard == nil {
			return append(found, at)
		}
		canHold, canFail := says(guard)
		if canHold && !at.contradicts(guard, true) {
			found = append(found, at.with(guard, true, canFail))
		}
		if !canFail || at.contradicts(guard, false) {
			return found
		}
		at = at.with(guard, false, canHold)
	}

	return found
}

// contradicts reports whether what the guards have said rules out that one holds, or fails.
func (t route) contradicts(guard *ir.Guard, holds bool) bool {
	return slices.ContainsFunc(t.said, func(s saying) bool {
		return s.guard.Same(guard) && s.holds != holds || s.guard.Opposite(guard) && s.holds == holds
	})
}

// with returns t with what one more guard says; unsure says that it can say otherwise.
func (t route) with(guard *ir.Guard, holds, unsure bool) route {
	t.said = append(slices.Clone(t.said), saying{guard, holds})
	if t.open == "" && guard.Func == nil && unsure {
		t.open = fmt.Sprintf("the guard %q", guard.Text.Value)
	}

	return t
}
