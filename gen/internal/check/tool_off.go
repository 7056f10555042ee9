package check

import (
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolOff finds built-in tools that a skill of an agent unlocks and the config does not enable: a
// run that may call one does not begin. It is a warning, because a script answers for all tools. Of
// the tools that one line enables, only the first of a skill is reported.
var toolOff = Pass{Name: "tool-off", run: func(u *unit) {
	var used []*ir.Skill
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		used = append(used, ir.Map(step.Skills(), func(use ir.SkillRef) *ir.Skill { return use.Skill })...)
	})
	for _, skill := range ir.Unique(used) {
		if skill != nil {
			reported := map[string]bool{}
			for _, tool := range skill.Tools {
				line, on := builtin.ToolIsOn(u.program.Reach, tool.Builtin)
				if on || reported[line] {
					continue
				}
				reported[line] = true
				d := diag.New(diag.ToolOff, tool.Span, "skill %q unlocks %q, but the project does not turn it on", skill.Name.Value, tool.Value).
					WithHint("add to agentc.yaml: %s", line)
				if config := u.program.Reach.Config; config.IsValid() {
					d.Note(config, "this config does not turn it on")
					if path.Ext(config.File.Path) == ".toml" {
						d.WithHint("agentc import tama makes agentc.yaml of it; add there: %s", line)
					}
				}
				u.report(d)
			}
		}
	}
}}
