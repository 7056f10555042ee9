package ir

import "strings"

// Same reports whether g asks what h asks, and wants the same answer.
func (g *Guard) Same(h *Guard) bool {
	if g.Func != nil || h.Func != nil {
		return g.Func == h.Func && g.Not == h.Not
	}

	return g.Formula != nil && h.Formula != nil && strings.TrimSpace(g.Text.Value) == strings.TrimSpace(h.Text.Value)
}

// Opposite reports whether one of g and h is taken where the other is not: the same named guard with and without not, or an
// expression and `not` before it. That two other expressions exclude each other is not looked for.
func (g *Guard) Opposite(h *Guard) bool {
	if g.Func != nil || h.Func != nil {
		return g.Func == h.Func && g.Not != h.Not
	}

	return g.Formula != nil && h.Formula != nil && (g.Formula.negates(h.Formula) || h.Formula.negates(g.Formula))
}

// negates reports whether f is `not` before all of h. The place of an expression is without parentheses around all of it.
func (f *Formula) negates(h *Formula) bool {
	not, isNot := f.Root.(*Not)

	return isNot && not.X.At().Text() == h.Root.At().Text()
}
