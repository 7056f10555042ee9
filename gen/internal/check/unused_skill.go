package check

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unusedSkill finds skills that no agent and no step names. The skills of an unused agent are not
// reported.
var unusedSkill = Pass{Name: "unused-skill", run: func(u *unit) {
	meant := u.meantSkills()
	for _, s := range u.program.Skills {
		isMeant := meant[s.Name.Value] || meant[s.Folder]
		if s.Asked || isMeant || u.mayBeNamed(s.Name.Value, s.File) || !s.Name.Span.IsValid() {
			continue
		}
		u.report(diag.New(diag.UnusedSkill, s.Name.Span, "skill %q is not used: no agent and no step names it", s.Name.Value).
			WithHint("write uses: [%s] below the call of an agent that needs it, or remove it", s.Name.Value))
	}
}}

// meantSkills returns the skills that undefined ones most likely mean.
func (u *unit) meantSkills() map[string]bool {
	meant := map[string]bool{}
	names := u.skillNames()
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		for _, use := range step.Skills() {
			if use.Skill == nil {
				near, _ := diag.Nearest(use.Value, names)
				meant[near] = true
			}
		}
	})

	return meant
}

// skillNames returns the names by which skills are referenced.
func (u *unit) skillNames() []string {
	return ir.Map(u.program.Skills, func(s *ir.Skill) string { return cmp.Or(s.Folder, s.Name.Value) })
}
