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
			"keys %q and %q of state %q in machine %q are equal when trimmed and lower-cased",
			first.Key.Value, row.Key.Value, s.Name.Value, x.agent.Name.Value).
			WithHint("give them different names").
			Note(first.Key.Span, "the first of them"))
	})
	u.ambiguousDeclared()
}}

func (u *unit) ambiguousDeclared() {
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		react, ok := step.Node.(*ir.React)
		if !ok {
			return
		}
		folded := map[string]ir.Text{}
		for _, key := range react.Keys {
			first, taken := folded[ir.FoldKey(key.Value)]
			if !taken {
				folded[ir.FoldKey(key.Value)] = key
			}
			if !taken || first.Value == key.Value || u.ambiguous[key.Span] {
				continue
			}
			u.ambiguous[key.Span] = true
			u.report(diag.New(diag.AmbiguousKey, key.Span, "keys %q and %q of %s are equal when trimmed and lower-cased",
				first.Value, key.Value, declarer(a, step, key.Span)).
				WithHint("give them different names").
				Note(first.Span, "the first of them"))
		}
	})
}
