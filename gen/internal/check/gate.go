package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// action is something that a gated agent can do, and where it is named.
type action struct {
	ir.Text
	// skill unlocks it; nil for finish.
	skill *ir.Skill
}

// eachGate calls visit for each gate whose agent uses skills that all exist, with what the agent can do: of others it is not known
// what they unlock.
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

// actionsOf returns what a react agent can do but start and read_skill, each once: the tools that its skills unlock, and finish.
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

// eachUnlocked calls visit for the tools that skills unlock; known is false where one of the skills is not known whole.
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

// placed returns the actions as the gate has them, in rows and in ungated.
func (x *machine) placed() []ir.Text {
	return slices.Concat(x.gate.Ungated, ir.Map(x.Machine.Rows(), func(row *ir.Row) ir.Text { return row.Key }))
}

// places reports whether an action has a place in the gate.
func (x *machine) places(name string) bool {
	return slices.ContainsFunc(x.placed(), func(p ir.Text) bool { return p.Value == name })
}
