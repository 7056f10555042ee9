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

// negates reports whether f is `not` before all of h.
func (f *Formula) negates(h *Formula) bool {
	not, isNot := f.Root.(*Not)

	return isNot && bare(not.X.At().Text()) == bare(h.Text.Value) && bare(h.Text.Value) != ""
}

// bare returns the text of an expression without spaces and parentheses around all of it.
func bare(text string) string {
	for {
		text = strings.TrimSpace(text)
		inner, opened := strings.CutPrefix(text, "(")
		inner, closed := strings.CutSuffix(inner, ")")
		if !opened || !closed || !balanced(inner) {
			return text
		}
		text = inner
	}
}

// balanced reports whether no parenthesis of text is closed before it is opened.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}

	return depth == 0
}
