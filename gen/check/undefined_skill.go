package check

import (
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// undefinedSkill finds uses of skills that do not exist.
var undefinedSkill = Pass{Name: "undefined-skill", run: func(u *unit) {
	var names []string
	for _, s := range u.program.Skills {
		if s.Folder != "" {
			names = append(names, s.Folder)
		} else {
			names = append(names, s.Name.Value)
		}
	}
	for _, a := range u.program.Agents {
		react, ok := a.Node.(*ir.React)
		if !ok || react == nil {
			continue
		}
		for _, use := range react.Uses {
			if use.Skill != nil {
				continue
			}
			d := diag.New(diag.UndefinedSkill, use.Span, "skill %q, which agent %q uses, does not exist", use.Value, a.Name.Value)
			d.Suggest(use.Value, names)
			if d.Hint == "" {
				d.WithHint("add skills/%s/SKILL.md", path.Base(use.Value))
			}
			if len(names) > 0 {
				d.Note(noSpan, "the %s %s", plural(len(names), "only skill is", "skills are"), listed(names))
			}
			u.report(d)
		}
	}
}}
