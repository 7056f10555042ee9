package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedAction finds rows of gates, and entries of ungated, that name no tool of the agent's
// skills.
var undefinedAction = Pass{Name: "undefined-action", run: func(u *unit) {
	u.eachGate(func(x *machine, can []action) {
		names := actionNames(can)
		for _, placed := range x.gateEntries() {
			if !slices.Contains(names, placed.Value) {
				d := diag.New(diag.UndefinedAction, placed.Span, "%q is not an action of agent %q: none of its skills has a tool of that name",
					placed.Value, x.name())
				suggestUsed(d, placed.Value, names, func(near string) bool {
					return slices.ContainsFunc(x.gateEntries(), func(t ir.Text) bool { return t.Value == near })
				})
				if i := slices.IndexFunc(x.gate.Ungated, func(a ir.Text) bool { return a.Span == placed.Span }); i >= 0 {
					dropRepeatingFixes(d, ir.Values(x.gate.Ungated))
				}
				if d.Hint == "" {
					if skill, at := u.skillUnlocking(placed.Value); skill != nil {
						d.WithHint("use skill %q, which has it", skill.Name.Value).Note(at.Span, "it is a tool of skill %q", skill.Name.Value)
					}
				}
				u.report(noteAll(d, noSpan, "action", names))
			}
		}
	})
}}
