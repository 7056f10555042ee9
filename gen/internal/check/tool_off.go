package check

import (
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolOff finds built-in tools that a skill of an agent unlocks and that the config does not turn on: a run that may call one does not
// begin. It is a warning, since a script answers for all tools. Of tools that one line turns on, the first of a skill is reported.
var toolOff = Pass{Name: "tool-off", run: func(u *unit) {
	reported := map[*ir.Skill]map[string]bool{}
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		for _, use := range step.Skills() {
			if use.Skill == nil || reported[use.Skill] != nil {
				continue
			}
			lines := map[string]bool{}
			reported[use.Skill] = lines
			for _, tool := range use.Skill.Tools {
				if line, on := u.program.Reach.On(tool.Builtin); !on && !lines[line] {
					lines[line] = true
					u.report(u.off(use.Skill, tool, line))
				}
			}
		}
	})
}}

func (u *unit) off(s *ir.Skill, tool ir.ToolRef, line string) *diag.Diagnostic {
	d := diag.New(diag.ToolOff, tool.Span, "skill %q unlocks %q, and the project does not turn it on", s.Name.Value, tool.Value)
	config := u.program.Reach.Config
	if config.IsValid() {
		d.Note(config, "this config does not turn it on")
	}
	if config.IsValid() && path.Ext(config.File.Path) == ".toml" {
		return d.WithHint("agentc import tama makes agentc.yaml of it; add there: %s", line)
	}

	return d.WithHint("add to agentc.yaml: %s", line)
}
