package ir

import (
	"cmp"
	"slices"
	"strings"
)

// Guard is what has to hold for a row to be taken.
type Guard struct {
	// Text is the guard as it is written.
	Text Text
	// Func is the named guard that is asked; nil for an expression.
	Func *GuardFunc
	// Not says that the row is taken where the named guard says no.
	Not bool
	// Formula is the expression; nil for a named guard, and for what could not be read.
	Formula *Formula
}

// GuardFunc is a method of Guards: a named guard, which the user writes in Go.
type GuardFunc struct {
	// Name is as the rows have it, such as plan-is-good; its place is the first.
	Name Text
	// Data is what is known of the JSON that the guard is asked about; the zero Type where its rows differ, or no schema says.
	Data Type
	// Uses are the rows that ask it, in source order.
	Uses []GuardUse
}

// GuardUse is a row that asks a named guard.
type GuardUse struct {
	Agent *Agent
	State *State
	Row   *Row
}

// Same reports whether g asks what h asks, and wants the same answer.
func (g *Guard) Same(h *Guard) bool {
	if g.Func != nil || h.Func != nil {
		return g.Func == h.Func && g.Not == h.Not
	}

	return g.Formula != nil && h.Formula != nil && strings.TrimSpace(g.Text.Value) == strings.TrimSpace(h.Text.Value)
}

// Try returns the rows of a conditional state in the order in which they are tried on a key that they share: by descending
// priority, rows of the same priority as they are in the source.
func (s *State) Try(key string) []*Row {
	rows := Where(s.Rows, func(row *Row) bool { return row.Key.Value == key })
	inOrder(rows)

	return rows
}

// ByKey returns the rows of a conditional state by their keys, the catch-all included: the keys as they are written first, the rows
// of each in the order in which they are tried.
func (s *State) ByKey() [][]*Row {
	groups := map[string][]*Row{}
	for _, row := range s.Rows {
		groups[row.Key.Value] = append(groups[row.Key.Value], row)
	}
	keys := Unique(Map(s.Rows, func(row *Row) string { return row.Key.Value }))

	return Map(keys, func(key string) []*Row {
		inOrder(groups[key])
		return groups[key]
	})
}

func inOrder(rows []*Row) {
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(b.Priority, a.Priority) })
}

// Guarded reports whether a row of the machine has a guard.
func (m *Machine) Guarded() bool {
	return slices.ContainsFunc(m.States, (*State).Guarded)
}

// Guarded reports whether a row of the state has a guard.
func (s *State) Guarded() bool {
	return slices.ContainsFunc(s.Rows, func(row *Row) bool { return row.When != nil })
}
