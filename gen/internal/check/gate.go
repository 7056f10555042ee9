package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// action is something that a gated agent can do, with the span of its name.
type action struct {
	ir.Text
	// skill unlocks it; nil for finish.
	skill *ir.Skill
}

// eachGate calls visit for each gate with the actions of its agent. An agent with an undefined
// skill is skipped, because its actions are unknown.
func (u *unit) eachGate(visit func(x *machine, can []action)) {
	for _, x := range u.machines {
		if x.gate == nil {
			continue
		}
		if can, known := actionsOf(x.agent.Node.(*ir.React)); known {
			visit(x, can)
		}
	}
}

// actionsOf returns the actions of a react agent except start and read_skill, each once: the tools
// that its skills unlock, and finish.
func actionsOf(react *ir.React) (can []action, known bool) {
	seen := map[string]bool{}
	known = eachUnlocked(react.Uses, func(s *ir.Skill, ref ir.ToolRef) {
		name := ref.Text
		if ref.Builtin != "" {
			name.Value = ref.Builtin
		}
		if !seen[name.Value] {
			seen[name.Value] = true
			can = append(can, action{name, s})
		}
	})

	return append(can, action{Text: ir.Text{Value: ir.FinishAction}}), known
}

// eachUnlocked calls visit for each tool that skills unlock. It returns false if a skill is not
// completely known.
func eachUnlocked(uses []ir.SkillRef, visit func(*ir.Skill, ir.ToolRef)) (known bool) {
	for _, use := range uses {
		if use.Skill == nil || use.Skill.Partial {
			return false
		}
		for _, ref := range use.Skill.Tools {
			visit(use.Skill, ref)
		}
	}

	return true
}

func actionNames(can []action) []string {
	return ir.Map(can, func(a action) string { return a.Value })
}

// gateEntries returns the actions in the rows and in the ungated list of the gate.
func (x *machine) gateEntries() []ir.Text {
	return slices.Concat(x.gate.Ungated, ir.Map(x.Machine.Rows(), func(row *ir.Row) ir.Text { return row.Key }))
}

// hasGateEntry reports whether the gate has an entry for an action.
func (x *machine) hasGateEntry(name string) bool {
	return slices.ContainsFunc(x.gateEntries(), func(p ir.Text) bool { return p.Value == name })
}
