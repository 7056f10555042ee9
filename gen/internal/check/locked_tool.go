package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// lockedTool finds prompts of react loops, and skills, that ask for a built-in tool that no skill of the agent unlocks: the model
// is asked to call what it does not have. The first such place of a text is reported.
var lockedTool = Pass{Name: "locked-tool", run: func(u *unit) {
	reported := map[*ir.Skill]bool{}
	for _, p := range u.prompts {
		if p.react == nil {
			continue
		}
		tools := lockedTools(p.step)
		locked := func(tool string) bool { return tools[tool] }
		if found := u.firstCall(p.text, locked); found.tool != "" {
			u.report(p.locked(found))
		}
		for _, use := range p.step.Skills() {
			if use.Skill == nil || reported[use.Skill] {
				continue
			}
			if found := u.firstCall(use.Skill.Body.Span.Text(), locked); found.tool != "" {
				reported[use.Skill] = true
				u.report(lockedInSkill(use.Skill, found))
			}
		}
	}
}}

// lockedTools are the built-in tools, with their older names, that no skill of a conversation unlocks; nil if that is not known.
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

func (p *prompt) locked(found call) *diag.Diagnostic {
	d := diag.New(diag.LockedTool, p.span(found.start, found.end), "%s asks for %q, but none of its skills unlocks it", p.owner(), found.tool)
	if skill, _ := p.u.skillWith(found.tool); skill != nil {
		return d.WithHint("write uses: [%s] below its call", skill.Name.Value)
	}

	return d.WithHint("write uses: [NAME] below its call, and tools: [%s] into skills/NAME/SKILL.md", found.tool)
}

func lockedInSkill(s *ir.Skill, found call) *diag.Diagnostic {
	at := partOf(s.Body.Span, found.start, found.end)
	if len(s.Tools) == 0 {
		return diag.New(diag.LockedTool, at, "skill %q asks for %q, but unlocks no tool", s.Name.Value, found.tool).
			WithHint("write tools: [%s] into its frontmatter", found.tool)
	}

	return diag.New(diag.LockedTool, at, "skill %q asks for %q, but does not unlock it", s.Name.Value, found.tool).
		WithHint("add %s to its tools", found.tool)
}
