package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// lockedTool finds prompts of react loops, and skills, that ask for a built-in tool which no skill
// of the agent unlocks. Only the first request of each text is reported.
var lockedTool = Pass{Name: "locked-tool", run: func(u *unit) {
	reported := map[*ir.Skill]bool{}
	for _, p := range u.prompts {
		if p.react == nil {
			continue
		}
		tools := lockedTools(p.step)
		locked := func(tool string) bool { return tools[tool] }
		if found := u.firstToolRequest(p.text, locked); found.tool != "" {
			u.report(p.lockedToolDiagnostic(found))
		}
		for _, use := range p.step.Skills() {
			if use.Skill == nil || reported[use.Skill] {
				continue
			}
			if found := u.firstToolRequest(use.Skill.Body.Span.Text(), locked); found.tool != "" {
				reported[use.Skill] = true
				u.report(lockedInSkillDiagnostic(use.Skill, found))
			}
		}
	}
}}

// lockedTools returns the built-in tools, with their older names, that no skill of a conversation
// unlocks. It returns nil if a skill is undefined.
func lockedTools(step *ir.Step) map[string]bool {
	locked, misspelled := builtinTools(), false
	known := eachUnlocked(step.Skills(), func(_ *ir.Skill, tool ir.ToolRef) {
		misspelled = misspelled || tool.Builtin == "" && tool.Tool == nil // it may mean any of them
		delete(locked, tool.Value)
		delete(locked, tool.Builtin)
		delete(locked, builtin.OlderToolPrefix+tool.Builtin)
	})
	if !known || misspelled {
		return nil
	}

	return locked
}

func (p *prompt) lockedToolDiagnostic(found toolRequest) *diag.Diagnostic {
	d := diag.New(diag.LockedTool, p.span(found.start, found.end), "%s asks for %q, but none of its skills unlocks it", p.owner(), found.tool)
	if skill, _ := p.u.skillUnlocking(found.tool); skill != nil {
		return d.WithHint("write uses: [%s] below its call", skill.Name.Value)
	}

	return d.WithHint("write uses: [NAME] below its call, and tools: [%s] into skills/NAME/SKILL.md", found.tool)
}

func lockedInSkillDiagnostic(s *ir.Skill, found toolRequest) *diag.Diagnostic {
	at := partOf(s.Body.Span, found.start, found.end)
	if len(s.Tools) == 0 {
		return diag.New(diag.LockedTool, at, "skill %q asks for %q, but unlocks no tool", s.Name.Value, found.tool).
			WithHint("write tools: [%s] into its frontmatter", found.tool)
	}

	return diag.New(diag.LockedTool, at, "skill %q asks for %q, but does not unlock it", s.Name.Value, found.tool).
		WithHint("add %s to its tools", found.tool)
}
