package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// readSkills reads every SKILL.md with its tools.
func (l *loader) readSkills() error {
	if err := l.readLock(); err != nil {
		return err
	}
	read, err := l.readMarkdowns(pathsOf(skillsFolder, l.skillFolders, SkillFile), validate.Skill)
	if err != nil {
		return err
	}
	for i, folder := range l.skillFolders {
		f, doc := read[i].file, read[i].doc
		s := &ir.Skill{
			Name:        tree.Text(doc.Head.Value("name")),
			File:        f,
			Folder:      folder.name,
			Description: tree.Text(doc.Head.Value("description")),
			Body:        ir.Text{Value: doc.Body, Span: doc.BodySpan},
			Env:         tree.Texts(doc.Head.Value("env")),
		}
		if s.Name.Value == "" {
			s.Name.Value = folder.name
		}
		l.CheckName("skill", s.Name, folder.name)
		l.skillTools(s, doc.Head.Value("tools"))
		l.olderSkill(s, doc.Head.Get("tama"))
		if err := l.skillFiles(s); err != nil {
			return err
		}
		l.skills[folder.name] = s
		l.Program.Skills = append(l.Program.Skills, s)
	}
	for _, s := range l.Program.Skills {
		if l.skills[s.Name.Value] == nil {
			l.skills[s.Name.Value] = s
		}
	}
	l.sortTools()
	l.endServers()

	return nil
}

// skillTools lowers the entries of tools: names of built-in tools, definitions of typed ones, and servers.
func (l *loader) skillTools(s *ir.Skill, list *yamldoc.Node) {
	for _, entry := range list.Elements() {
		if mcp := entry.Get("mcp"); mcp != nil {
			l.toolServer(s, mcp)
			continue
		}
		if _, ok := entry.Scalar(); ok {
			name := tree.Text(entry)
			s.Tools = append(s.Tools, ir.ToolRef{Text: name, Builtin: builtin.Tool(name.Value)})
			continue
		}
		if tool := l.typedTool(entry); tool != nil {
			s.Tools = append(s.Tools, ir.ToolRef{Text: tool.Name, Tool: l.addTool(tool)})
		}
	}
}

// olderSkill takes what the older kind of skill says in its block: the variables that it needs and the tool that it is
// for. What it depends on is not installed anywhere; the schema says so.
func (l *loader) olderSkill(s *ir.Skill, block *yamldoc.Field) {
	if block == nil || block.Value.IsNull() || block.Value.Kind != yamldoc.Map {
		return
	}
	l.List.Add(diag.New(diag.DeprecatedForm, block.Key.Span, "%q is the block of older skills", block.Key.Text).
		WithHint("write env and tools at the top level"))
	for _, name := range tree.Texts(block.Value.Value("env")) {
		if !slices.ContainsFunc(s.Env, func(have ir.Text) bool { return have.Value == name.Value }) {
			s.Env = append(s.Env, name)
		}
	}
	l.olderTool(s, tree.Text(block.Value.Value("tool")))
}

// olderTool unlocks a built-in tool that is in the block of an older skill. There it may also be a command of the
// shell, which is no tool.
func (l *loader) olderTool(s *ir.Skill, name ir.Text) {
	canonical := builtin.Tool(name.Value)
	switch {
	case name.Value == "":
	case canonical == "":
		l.List.Add(diag.New(diag.UnusedField, name.Span,
			"%q is no built-in tool, and reading the skill does not unlock it", name.Value).
			WithHint("if it is a command, list bash in tools"))
	case !slices.ContainsFunc(s.Tools, func(have ir.ToolRef) bool { return have.Builtin == canonical }):
		s.Tools = append(s.Tools, ir.ToolRef{Text: name, Builtin: canonical})
	}
}

// addEmptySkill makes a skill known of which nothing but its name can be used.
func (l *loader) addEmptySkill(name string, f *source.File) {
	l.skills[name] = &ir.Skill{Name: ir.Text{Value: name}, Folder: name, File: f}
	l.Program.Skills = append(l.Program.Skills, l.skills[name])
}
