package agentmd

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// readSkills reads every SKILL.md with its tools.
func (l *loader) readSkills() {
	l.readLock()
	read := l.readMarkdowns(validate.Skill, pathsOf(skillsFolder, l.skillFolders, SkillFile)...)
	for i, folder := range l.skillFolders {
		f, doc := read[i].file, read[i].doc
		s := &ir.Skill{
			Name:        frontend.Text(doc.Head.Value("name")),
			File:        f,
			Folder:      folder.name,
			Description: frontend.Text(doc.Head.Value("description")),
			Body:        ir.Text{Value: doc.Body, Span: doc.BodySpan},
			Env:         frontend.Texts(doc.Head.Value("env")),
			Partial:     l.IsFaulty(f),
		}
		s.Name.Value = cmp.Or(s.Name.Value, folder.name)
		l.CheckName("skill", s.Name, folder.name)
		l.lowerSkillTools(s, doc.Head.Value("tools"))
		l.lowerOlderSkill(s, doc.Head.Field("tama"))
		files := &skillReader{l: l, skill: s, top: path.Join(skillsFolder, s.Folder)}
		files.readFolder("")
		l.skills[folder.name] = s
		l.Program.Skills = append(l.Program.Skills, s)
	}
	for _, s := range l.Program.Skills {
		l.skills[s.Name.Value] = cmp.Or(l.skills[s.Name.Value], s)
	}
	slices.SortFunc(l.Program.Tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(l.Program.Servers, func(a, b *ir.Server) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	l.reportClashingTools()
	l.reportUnusedPins()
}

// lowerSkillTools lowers the tools of a skill: names of built-in tools, typed tools, and servers.
func (l *loader) lowerSkillTools(s *ir.Skill, list *yamldoc.Node) {
	for _, entry := range list.Elements() {
		if mcp := entry.Field("mcp"); mcp != nil {
			l.lowerServer(s, mcp)
			continue
		}
		if _, ok := entry.Scalar(); ok {
			name := frontend.Text(entry)
			s.Tools = append(s.Tools, builtin.ToolRef(name))
			continue
		}
		if tool := l.lowerTypedTool(entry); tool != nil {
			s.Tools = append(s.Tools, ir.ToolRef{Text: tool.Name, Tool: l.addTool(tool)})
		}
	}
}

// lowerOlderSkill lowers the block of an older skill: its variables and its tool. The schema
// reports its dependencies, which are not installed.
func (l *loader) lowerOlderSkill(s *ir.Skill, block *yamldoc.Field) {
	if block == nil || block.Value.IsNull() || block.Value.Kind != yamldoc.Map {
		return
	}
	l.List.Add(diag.New(diag.DeprecatedForm, block.Key.Span, "%q is the block of older skills", block.Key.Text).
		WithHint("write env and tools at the top level"))
	declareVariables(s, frontend.Texts(block.Value.Value("env")))
	name := frontend.Text(block.Value.Value("tool"))
	canonical := builtin.Tool(name.Value)
	switch {
	case name.Value == "":
	case canonical == "": // it may be a command of the shell
		l.List.Add(diag.New(diag.UnusedField, name.Span,
			"%q is not a built-in tool, and reading the skill does not unlock it", name.Value).
			WithHint("if it is a command, list bash in tools").Warn())
	case !slices.ContainsFunc(s.Tools, func(have ir.ToolRef) bool { return have.Builtin == canonical }):
		s.Tools = append(s.Tools, builtin.ToolRef(name))
	}
}

// addEmptySkill adds a skill of which only the name is known.
func (l *loader) addEmptySkill(name string, f *source.File) {
	l.skills[name] = &ir.Skill{Name: ir.Text{Value: name}, Folder: name, File: f}
	l.Program.Skills = append(l.Program.Skills, l.skills[name])
}

// The limits for the files of a skill, in bytes: all of them become a part of the generated Go and
// the binary.
const (
	largestSkillFile  = 1 << 20
	largestSkillFiles = 8 << 20
	mostSkillFiles    = 500
)

// skillReader reads the files in the folder of a skill. It skips names that begin with a dot.
type skillReader struct {
	l     *loader
	skill *ir.Skill
	top   string
	size  int
	full  bool
}

// readFolder reads the files of a folder below the folder of the skill. "" is the folder itself.
func (r *skillReader) readFolder(below string) {
	for _, name := range r.l.ListNames(path.Join(r.top, below)) {
		file := path.Join(below, name)
		if file == SkillFile || r.full {
			continue
		}
		whole := path.Join(r.top, file)
		info, err := fs.Lstat(r.l.FS, whole)
		switch {
		case err != nil:
			r.l.Fail(err)
		case info.IsDir():
			r.readFolder(file)
		case !info.Mode().IsRegular():
			r.reportProblem("the file %q of the skill is a link or not a regular file: only regular files are read", file)
		case info.Size() > largestSkillFile:
			r.reportProblem("the file %q of the skill has %d bytes, but 1 MiB is the limit", file, info.Size())
		default:
			r.readFile(file, whole)
		}
	}
}

func (r *skillReader) readFile(name, whole string) {
	content, err := fs.ReadFile(r.l.FS, whole)
	r.l.Fail(err)
	r.size += len(content)
	if r.size > largestSkillFiles || len(r.skill.Files) == mostSkillFiles {
		r.full = true
		r.reportProblem("the skill has more than 500 files, or more than 8 MiB in them, from %q on", name)

		return
	}
	f := ir.SkillFile{Path: name, Content: string(content), Binary: !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0}
	if !f.Binary {
		r.l.Program.Files = append(r.l.Program.Files, source.NewFile(whole, content))
	}
	r.skill.Files = append(r.skill.Files, f)
}

func (r *skillReader) reportProblem(format string, args ...any) {
	at := r.skill.Name.Span
	if !at.IsValid() {
		at = frontend.WholeFile(r.skill.File)
	}
	r.l.List.Add(diag.New(diag.SkillFile, at, format, args...).
		WithHint("move it out of %q: the files of a skill are compiled in", r.top))
}
