package check

import (
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// undefinedSkill finds uses of skills that do not exist, and prompts that read a skill which the conversation does not have.
var undefinedSkill = Pass{Name: "undefined-skill", run: func(u *unit) {
	names := u.skillNames()
	known := map[source.Span]bool{} // a step may have its skills from its agent
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		uses := step.Skills()
		for _, use := range uses {
			if use.Skill == nil && !known[use.Span] {
				known[use.Span] = true
				d := undefinedSkillAt(use, declarer(a, step, use.Span), names)
				withoutRepeating(d, len(uses), func(i int) string { return uses[i].Value })
				u.report(d)
			}
		}
	})
	u.skillsInPrompts()
}}

// undefinedSkillAt is the finding for a skill that user uses, where names are the skills that there are.
func undefinedSkillAt(use ir.SkillRef, user string, names []string) *diag.Diagnostic {
	d := diag.New(diag.UndefinedSkill, use.Span, "skill %q, which %s uses, does not exist", use.Value, user)
	d.Suggest(use.Value, names)
	if d.Hint == "" {
		d.WithHint("add skills/%s/SKILL.md", path.Base(use.Value))
	}
	if len(names) > 0 {
		d.Note(noSpan, "the %s %s", plural(len(names), "only skill is", "skills are"), diag.Listed(names))
	}

	return d
}
