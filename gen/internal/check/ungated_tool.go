package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ungatedTool finds unlocked tools, and finish, without an entry in the gate: the gate must decide
// whether they may be called. A tool that a misspelled row means is not reported.
var ungatedTool = Pass{Name: "ungated-tool", run: func(u *unit) {
	u.eachGate(func(x *machine, can []action) {
		if x.Partial {
			return
		}
		placed := x.meantActions(can)
		missing := slices.DeleteFunc(slices.Clone(can), func(a action) bool { return placed[a.Value] })
		if len(missing) > 0 {
			what := "tool " + quoted(actionNames(missing)) + " has"
			switch {
			case len(missing) > 1:
				what = "actions " + quoted(actionNames(missing)) + " have"
			case missing[0].Value == ir.FinishAction:
				what = quoted(actionNames(missing)) + " has"
			}
			d := diag.New(diag.UngatedTool, x.gate.Span, "%s no place in the gate of agent %q", what, x.name())
			d.WithHint("add a row for %s to the states where it may be called, or list it in ungated",
				plural(len(missing), "it", "each"))
			u.report(noteEach(d, missing, "and so on, for %d more", func(a action) {
				if a.skill != nil {
					d.Note(a.Span, "skill %q unlocks %q", a.skill.Name.Value, a.Value)
				}
			}))
		}
	})
}}

// meantActions returns the actions that the gate names or most likely means.
func (x *machine) meantActions(can []action) map[string]bool {
	names := actionNames(can)
	meant := map[string]bool{}
	for _, placed := range x.gateEntries() {
		meant[placed.Value] = true
		if slices.Contains(names, placed.Value) {
			continue
		}
		if near, ok := diag.Nearest(placed.Value, names); ok {
			meant[near] = true
		}
	}

	return meant
}
