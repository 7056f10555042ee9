package agentmd

import (
	"path"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/validate"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// readSkills reads every SKILL.md with its tools.
func (l *loader) readSkills(found *layout) error {
	l.skills = map[string]*ir.Skill{}
	for _, folder := range found.skills {
		f, doc, err := l.readMarkdown(path.Join(skillsFolder, folder.name, skillFile), validate.Skill)
		if err != nil {
			return err
		}
		s := &ir.Skill{
			Name:        textOf(doc.Head.Value("name")),
			File:        f,
			Folder:      folder.name,
			Description: textOf(doc.Head.Value("description")),
			Body:        ir.Text{Value: doc.Body, Span: doc.BodySpan},
			Env:         textsOf(doc.Head.Value("env")),
		}
		if s.Name.Value == "" {
			s.Name.Value = folder.name
		}
		l.checkName("skill", s.Name, folder.name)
		l.skillTools(s, doc.Head.Value("tools"))
		l.skills[folder.name] = s
		l.program.Skills = append(l.program.Skills, s)
	}
	for _, s := range l.program.Skills {
		if l.skills[s.Name.Value] == nil {
			l.skills[s.Name.Value] = s
		}
	}
	l.sortTools()

	return nil
}

// skillTools lowers the entries of tools: names of built-in tools, and definitions of typed ones.
func (l *loader) skillTools(s *ir.Skill, list *yamldoc.Node) {
	if list == nil {
		return
	}
	for _, entry := range list.Items {
		if mcp := entry.Get("mcp"); mcp != nil {
			l.notYet(mcp.Key.Span, "a tool server (%q)", "mcp")
			continue
		}
		if _, ok := entry.Scalar(); ok {
			name := textOf(entry)
			s.Tools = append(s.Tools, ir.ToolRef{Text: name, Builtin: ir.BuiltinTool(name.Value)})
			continue
		}
		if tool := l.typedTool(entry); tool != nil {
			s.Tools = append(s.Tools, ir.ToolRef{Text: tool.Name, Tool: l.addTool(tool)})
		}
	}
}
