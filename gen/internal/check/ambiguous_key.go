package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ambiguousKey finds two keys of a state, or two that an agent or a step declares, that are equal once they are trimmed and
// lower-cased: an answer that is neither of them exactly would mean both.
var ambiguousKey = Pass{Name: "ambiguous-key", run: func(u *unit) {
	u.eachEarlierRow(func(x *machine, s *ir.State, first, row *ir.Row) {
		if first.Key.Value == row.Key.Value {
			return
		}
		u.ambiguous[row.Key.Span] = true
		u.report(diag.New(diag.AmbiguousKey, row.Key.Span,
			"keys %q and %q of state %q in machine %q are equal when %s",
			first.Key.Value, row.Key.Value, s.Name.Value, x.name(), folding(first.Key.Value, row.Key.Value)).
			WithHint("give them different names").
			Note(first.Key.Span, "the first of them"))
	})
	u.ambiguousDeclared()
}}

// folding says what makes two keys equal.
func folding(a, b string) string {
	if ir.FoldKey(a) == ir.FoldKey(b) {
		return "trimmed and lower-cased"
	}

	return "their accents are composed: they look the same"
}

func (u *unit) ambiguousDeclared() {
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		react, ok := step.Node.(*ir.React)
		if !ok {
			return
		}
		folded := map[string]ir.Text{}
		for _, key := range react.Keys {
			first, taken := folded[foldKey(key.Value)]
			if !taken {
				folded[foldKey(key.Value)] = key
			}
			if !taken || first.Value == key.Value || u.ambiguous[key.Span] {
				continue
			}
			u.ambiguous[key.Span] = true
			u.report(diag.New(diag.AmbiguousKey, key.Span, "keys %q and %q of %s are equal when %s",
				first.Value, key.Value, declarer(a, step, key.Span), folding(first.Value, key.Value)).
				WithHint("give them different names").
				Note(first.Span, "the first of them"))
		}
	})
}
