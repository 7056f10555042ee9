package ir

import (
	"cmp"
	"slices"
	"strings"
)

// Guard is the condition of a row.
type Guard struct {
	// Text is the guard as written.
	Text Text
	// Func is the named guard; nil for an expression.
	Func *GuardFunc
	// Not inverts a named guard.
	Not bool
	// Formula is the expression. It is nil for a named guard, and for a text that could not be
	// parsed.
	Formula *Formula
}

// GuardFunc is a method of Guards: a named guard, which the user writes in Go.
type GuardFunc struct {
	// Name is as the rows have it, such as plan-is-good. Its position is the first use.
	Name Text
	// Data is the known type of the JSON that the guard receives. It is the zero Type if its rows
	// differ, or without a schema.
	Data Type
	// Uses are the rows with the guard, in source order.
	Uses []GuardUse
}

// GuardUse is a row with a named guard.
type GuardUse struct {
	Agent *Agent
	State *State
	Row   *Row
}

// Equal reports whether g and h hold in the same cases.
func (g *Guard) Equal(h *Guard) bool {
	if g.Func != nil || h.Func != nil {
		return g.Func == h.Func && g.Not == h.Not
	}

	return g.Formula != nil && h.Formula != nil && strings.TrimSpace(g.Text.Value) == strings.TrimSpace(h.Text.Value)
}

// RowsByPriority returns the rows of a key in a conditional state in the order in which a run tries
// them: by descending priority, and for equal priorities in source order.
func (s *State) RowsByPriority(key string) []*Row {
	rows := Where(s.Rows, func(row *Row) bool { return row.Key.Value == key })
	sortByPriority(rows)

	return rows
}

// RowsByKey returns the rows of a conditional state grouped by key, including the catch-all. The
// keys are in source order, and the rows of each in the order in which a run tries them.
func (s *State) RowsByKey() [][]*Row {
	groups := map[string][]*Row{}
	for _, row := range s.Rows {
		groups[row.Key.Value] = append(groups[row.Key.Value], row)
	}
	keys := Unique(Map(s.Rows, func(row *Row) string { return row.Key.Value }))

	return Map(keys, func(key string) []*Row {
		sortByPriority(groups[key])
		return groups[key]
	})
}

func sortByPriority(rows []*Row) {
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(b.Priority, a.Priority) })
}

// HasGuards reports whether a row of the machine has a guard.
func (m *Machine) HasGuards() bool {
	return slices.ContainsFunc(m.States, (*State).HasGuards)
}

// HasGuards reports whether a row of the state has a guard.
func (s *State) HasGuards() bool {
	return slices.ContainsFunc(s.Rows, func(row *Row) bool { return row.When != nil })
}
