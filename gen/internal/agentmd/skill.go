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
		l.skillTools(s, doc.Head.Value("tools"))
		l.olderSkill(s, doc.Head.Get("tama"))
		files := &skillReader{l: l, skill: s, top: path.Join(skillsFolder, s.Folder)}
		files.folder("")
		l.skills[folder.name] = s
		l.Program.Skills = append(l.Program.Skills, s)
	}
	for _, s := range l.Program.Skills {
		l.skills[s.Name.Value] = cmp.Or(l.skills[s.Name.Value], s)
	}
	slices.SortFunc(l.Program.Tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(l.Program.Servers, func(a, b *ir.Server) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	l.clashingTools()
	l.unusedPins()
}

// skillTools lowers the entries of tools: names of built-in tools, definitions of typed ones, and servers.
func (l *loader) skillTools(s *ir.Skill, list *yamldoc.Node) {
	for _, entry := range list.Elements() {
		if mcp := entry.Get("mcp"); mcp != nil {
			l.toolServer(s, mcp)
			continue
		}
		if _, ok := entry.Scalar(); ok {
			name := frontend.Text(entry)
			s.Tools = append(s.Tools, builtin.ToolRef(name))
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
	declare(s, frontend.Texts(block.Value.Value("env")))
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

// addEmptySkill makes a skill known of which nothing but its name can be used.
func (l *loader) addEmptySkill(name string, f *source.File) {
	l.skills[name] = &ir.Skill{Name: ir.Text{Value: name}, Folder: name, File: f}
	l.Program.Skills = append(l.Program.Skills, l.skills[name])
}

// What a skill may bring, in bytes: all of it is in the generated Go and in the binary.
const (
	largestSkillFile  = 1 << 20
	largestSkillFiles = 8 << 20
	mostSkillFiles    = 500
)

// skillReader reads the files that are beside a SKILL.md and below it. Names that begin with a dot are passed over.
type skillReader struct {
	l     *loader
	skill *ir.Skill
	top   string
	size  int
	full  bool
}

// folder reads the files of a folder below that of the skill; "" is that itself.
func (r *skillReader) folder(below string) {
	for _, name := range r.l.Names(path.Join(r.top, below)) {
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
			r.folder(file)
		case !info.Mode().IsRegular():
			r.refuse("the file %q of the skill is a link or not a regular file: only regular files are read", file)
		case info.Size() > largestSkillFile:
			r.refuse("the file %q of the skill has %d bytes, but 1 MiB is the limit", file, info.Size())
		default:
			r.file(file, whole)
		}
	}
}

func (r *skillReader) file(name, whole string) {
	content, err := fs.ReadFile(r.l.FS, whole)
	r.l.Fail(err)
	r.size += len(content)
	if r.size > largestSkillFiles || len(r.skill.Files) == mostSkillFiles {
		r.full = true
		r.refuse("the skill has more than 500 files, or more than 8 MiB in them, from %q on", name)

		return
	}
	f := ir.SkillFile{Path: name, Content: string(content), Binary: !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0}
	if !f.Binary {
		r.l.Program.Files = append(r.l.Program.Files, source.NewFile(whole, content))
	}
	r.skill.Files = append(r.skill.Files, f)
}

func (r *skillReader) refuse(format string, args ...any) {
	at := r.skill.Name.Span
	if !at.IsValid() {
		at = frontend.WholeFile(r.skill.File)
	}
	r.l.List.Add(diag.New(diag.SkillFile, at, format, args...).
		WithHint("move it out of %q: the files of a skill are compiled in", r.top))
}
