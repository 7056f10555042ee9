package check

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// undefinedSkill finds undefined skills, and prompts that read a skill which their conversation
// does not have.
var undefinedSkill = Pass{Name: "undefined-skill", run: func(u *unit) {
	names := u.skillNames()
	known := map[source.Span]bool{} // a step may have its skills from its agent
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		uses := step.Skills()
		for _, use := range uses {
			if use.Skill == nil && !known[use.Span] {
				known[use.Span] = true
				d := diag.New(diag.UndefinedSkill, use.Span, "skill %q, which %s uses, does not exist", use.Value, declarer(a, step, use.Span)).
					WithHint("add skills/%s/SKILL.md", path.Base(use.Value)).Suggest(use.Value, names)
				dropRepeatingFixes(d, ir.Map(uses, func(use ir.SkillRef) string { return use.Value }))
				u.report(noteAll(d, noSpan, "skill", names))
			}
		}
	})
	u.reportSkillsInPrompts()
}}

func (u *unit) hasSkill(name string) bool { return slices.Contains(u.skillNames(), name) }

// readsSkill matches a call of read_skill with the name of a skill.
var readsSkill = regexp.MustCompile("\\bread_skill\\(\\s*(?:name\\s*[=:]\\s*)?[\"'`]([a-z0-9][a-z0-9_-]*)[\"'`]")

// reportSkillsInPrompts reports skills that the prompt of a react loop reads and its conversation
// does not have.
func (u *unit) reportSkillsInPrompts() {
	for _, p := range u.prompts {
		if p.react == nil || !strings.Contains(p.text, "read_skill(") {
			continue
		}
		has := ir.Map(p.step.Skills(), func(use ir.SkillRef) string { return use.Value })
		for _, at := range readsSkill.FindAllStringSubmatchIndex(p.text, -1) {
			name := p.text[at[2]:at[3]]
			if slices.Contains(has, name) || isPlaceholder(name) || isRefused(p.text[:at[0]]) {
				continue
			}
			d := diag.New(diag.UndefinedSkill, p.span(at[2], at[3]), "the prompt of %s reads the skill %q, which it does not have", p.owner(), name).Warn()
			if u.hasSkill(name) {
				d.WithHint("add %s to uses of its call", name)
			} else {
				d.Guess(name, u.skillNames()).Guess(name, has)
			}
			u.report(d)
		}
	}
}
