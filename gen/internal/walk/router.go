package walk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// router finds the rows of a key. Rows are numbers; those of one key stand in the order in which they are tried.
type router struct {
	state *ir.State
	// visits says how often a state was entered; nil where nobody knows.
	visits        func(state string) int
	exact, folded map[string][]int
	catchAll      []int
}

func newRouter(s *ir.State) *router {
	r := &router{state: s, exact: make(map[string][]int, len(s.Rows)), folded: make(map[string][]int, len(s.Rows))}
	for i, row := range s.Rows {
		if row.IsCatchAll() {
			r.catchAll = append(r.catchAll, i)
			continue
		}
		r.exact[row.Key.Value] = append(r.exact[row.Key.Value], i)
	}
	for _, row := range s.Rows {
		if fold := ir.FoldKey(row.Key.Value); !row.IsCatchAll() && r.folded[fold] == nil {
			r.folded[fold] = r.inOrder(r.exact[row.Key.Value])
		}
	}
	for _, rows := range r.exact {
		r.inOrder(rows)
	}
	r.inOrder(r.catchAll)

	return r
}

// inOrder sorts rows as they are tried.
func (r *router) inOrder(rows []int) []int {
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(r.state.Rows[b].Priority, r.state.Rows[a].Priority) })

	return rows
}

// turning is a row that a key can take, and what the guards say then that are asked before.
type turning struct {
	row   int
	asked sayings
	// open is the first expression among them of which nobody knows before a run what it says; nil if there is none. What a
	// named guard says a script can tell.
	open *ir.Guard
}

// sayings are what guards say that are asked one after the other.
type sayings []asked

// String returns them as conditions: plan-is-good, not plan-is-long.
func (s sayings) String() string {
	texts := make([]string, len(s))
	for i, a := range s {
		texts[i] = a.String()
	}

	return strings.Join(texts, ", ")
}

// asked is a guard that is asked, and whether it holds.
type asked struct {
	guard *ir.Guard
	holds bool
}

// String returns what has to be so: the guard, or that it does not hold.
func (a asked) String() string {
	text := strings.TrimSpace(a.guard.Text.Value)
	name, inverted := strings.CutPrefix(text, "not ")
	switch {
	case a.holds:
		return text
	case a.guard.Func != nil && inverted:
		return strings.TrimSpace(name)
	case a.guard.Func != nil:
		return "not " + text
	}

	return "not (" + text + ")"
}

// routes returns the rows that a key can take, in the order in which they are tried: of several, guards decide.
func (r *router) routes(key string) []turning {
	rows, exact := r.exact[key]
	if !exact {
		rows = r.folded[ir.FoldKey(key)]
	}
	about := given{key: key, known: len(rows) > 0, visits: r.visits}
	if about.known {
		about.key = r.state.Rows[rows[0]].Key.Value
	}
	var found []turning
	at := turning{}
	for _, i := range slices.Concat(rows, r.catchAll) {
		at.row = i
		guard := r.state.Rows[i].When
		if guard == nil {
			return append(found, at)
		}
		if at.canSay(guard, true, about) {
			found = append(found, at.with(guard, true, about))
		}
		if !at.canSay(guard, false, about) {
			return found
		}
		at = at.with(guard, false, about)
	}

	return found
}

// canSay reports whether a guard can hold, or fail, when the others have said what they did.
func (t turning) canSay(guard *ir.Guard, holds bool, about given) bool {
	for _, b := range t.asked {
		if b.guard.Same(guard) && b.holds != holds || b.guard.Opposite(guard) && b.holds == holds {
			return false
		}
	}
	says, known := verdict(guard, about)

	return !known || says == holds
}

// with returns t with what one more guard says.
func (t turning) with(guard *ir.Guard, holds bool, about given) turning {
	t.asked = append(slices.Clone(t.asked), asked{guard, holds})
	if _, known := verdict(guard, about); t.open == nil && guard.Func == nil && !known {
		t.open = guard
	}

	return t
}
