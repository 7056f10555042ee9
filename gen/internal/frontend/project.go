package frontend

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Format is a kind of source files. The loader runs each stage for all formats, in their order,
// before the next stage. Mistakes of the user are added to the project's list; I/O errors are in
// [Project.Err].
type Format interface {
	// Find looks for the files of the format. It adds misnamed ones to the project's strays.
	Find()
	// Read reads and parses the files, and registers the names that they define.
	Read()
	// Lower sets the nodes of the agents. All names are known, and the results of earlier formats.
	Lower()
	// Link does the work that needs the nodes of all agents.
	Link()
}

// Project is a project that is being read.
type Project struct {
	// FS is the folder of the project.
	FS fs.FS
	// List collects mistakes.
	List *diag.List
	// Program is the result so far.
	Program *ir.Program
	// Strays are files that are not read.
	Strays []Stray
	// Err is the first I/O error. Later results of the same stage are invalid.
	Err error

	agents map[string]*ir.Agent
	faulty map[*source.File]bool
}

// New returns a project that has not been read yet.
func New(fsys fs.FS, list *diag.List) *Project {
	return &Project{
		FS: fsys, List: list, Program: &ir.Program{}, agents: map[string]*ir.Agent{}, faulty: map[*source.File]bool{},
	}
}

// Fail records the first error.
func (p *Project) Fail(err error) { p.Err = cmp.Or(p.Err, err) }

// ReadFile reads a file of the project. The parsers check that it is UTF-8.
func (p *Project) ReadFile(path string) *source.File {
	content, err := fs.ReadFile(p.FS, path)
	p.Fail(err)

	return p.addFile(path, content)
}

func (p *Project) addFile(path string, content []byte) *source.File {
	f := source.NewFile(path, content)
	p.Program.Files = append(p.Program.Files, f)

	return f
}

// ListNames is [source.Names] for a folder of the project.
func (p *Project) ListNames(dir string) []string {
	names, err := source.Names(p.FS, dir)
	p.Fail(err)

	return names
}

// HasFile is [source.HasFile] for a file of the project.
func (p *Project) HasFile(name string) bool {
	there, err := source.HasFile(p.FS, name)
	p.Fail(err)

	return there
}

// Named describes how a text names a file of the project.
type Named struct {
	// Prefix is the text before the path, such as script:.
	Prefix string
	// Folder is the base of the path, and From the base in messages.
	Folder, From string
	// IsAlike reports whether the name belongs to this kind of files.
	IsAlike func(name string) bool
}

// ResolveNamedFile returns the path of the file that a text names, or a diagnostic. The path is "" outside
// of the project. A missing file is reported as check, with a similar file. what describes the
// text.
func (p *Project) ResolveNamedFile(check *diag.Check, what string, text ir.Text, by Named) (string, *diag.Diagnostic) {
	written := strings.TrimPrefix(text.Value, by.Prefix)
	file, ok := source.ResolvePath(by.Folder, written)
	if !ok || file == "." {
		return "", diag.New(diag.BadValue, text.Span, "%s %q is not a file inside the project", what, text.Value).
			WithHint("write its path relative to %s, with forward slashes", by.From)
	}
	if link := source.FirstLink(p.FS, file); link != "" {
		return file, diag.New(diag.BadValue, text.Span, "%s %q: %q is a symbolic link, and the file has to be in the project itself",
			what, text.Value, link)
	}
	if p.HasFile(file) {
		return file, nil
	}
	d := diag.New(check, text.Span, "%s %q: there is no file %q", what, text.Value, file)
	folder := path.Dir(file)
	names, _ := source.Names(p.FS, folder) // without the names there is no suggestion
	names = ir.Where(names, func(name string) bool { return by.IsAlike(name) && source.IsFile(p.FS, path.Join(folder, name)) })
	if near, ok := diag.Nearest(path.Base(file), names); ok {
		d.Suggest(text.Value, []string{strings.TrimSuffix(text.Value, path.Base(written)) + near})
	}

	return file, d
}

// Report adds the diagnostics of a file's frontmatter, and records whether the file is faulty.
func (p *Project) Report(f *source.File, findings []*diag.Diagnostic) {
	p.List.Add(findings...)
	p.faulty[f] = p.faulty[f] || slices.ContainsFunc(findings, (*diag.Diagnostic).IsError)
}

// IsFaulty reports whether the frontmatter of a file has an error.
func (p *Project) IsFaulty(f *source.File) bool { return p.faulty[f] }

// FindAgent returns the agent or workflow with a name, or nil.
func (p *Project) FindAgent(name string) *ir.Agent { return p.agents[name] }

// AddAgent adds an agent under the name of its folder, which references use.
func (p *Project) AddAgent(a *ir.Agent) {
	p.Program.Agents = append(p.Program.Agents, a)
	p.agents[a.Folder] = a
}

// AddName registers another name of an agent, unless the name is taken.
func (p *Project) AddName(name string, a *ir.Agent) {
	p.agents[name] = cmp.Or(p.agents[name], a)
}

// AddEmptyAgent adds an agent of which only the name is known.
func (p *Project) AddEmptyAgent(name string, f *source.File) {
	if p.agents[name] == nil {
		p.AddAgent(&ir.Agent{Name: ir.Text{Value: name}, Folder: name, File: f})
	}
}

var (
	validName   = regexp.MustCompile(`^_?[a-z0-9][a-z0-9-]*$`)
	notNameRune = regexp.MustCompile(`[^a-z0-9]+`)
)

// IsValidName reports whether an agent or a skill can have the name.
func IsValidName(text string) bool { return validName.MatchString(text) }

// CheckName reports an invalid name, or one that differs from its folder. what is "agent" or
// "skill". Only one of the two is reported, because the name of the folder fixes both.
func (p *Project) CheckName(what string, name ir.Text, folder string) {
	if name.Value == "" || !name.Span.IsValid() {
		return // the schema has reported it
	}

	switch {
	case !validName.MatchString(name.Value):
		d := diag.New(diag.InvalidName, name.Span,
			"%s name %q: a name has lower-case letters, digits and hyphens, and may begin with _", what, name.Value)
		p.List.Add(addNameFix(d, name, folder))
	case name.Value != folder && validName.MatchString(folder):
		d := diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder)
		p.List.Add(addNameFix(d, name, folder))
	case name.Value != folder:
		p.List.Add(diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder).
			WithHint("rename the folder to %q", name.Value))
	}
}

// addNameFix suggests the folder's name, if it is valid, or the nearest name.
func addNameFix(d *diag.Diagnostic, name ir.Text, folder string) *diag.Diagnostic {
	if validName.MatchString(folder) {
		d.WithHint("the folder is called %q", folder)
		if folder != "null" { // not a text without quotes
			d.WithFix(fmt.Sprintf("replace %q with %q", name.Value, folder), name.Span, folder)
		}
		return d
	}
	if near := NearestName(name.Value); near != "" {
		d.WithHint("rename it and its folder to %q", near)
	}

	return d
}

// NearestName makes a name of any text. It returns "" if the text has letters that a name cannot
// have, or no letters and digits.
func NearestName(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
		return ""
	}

	return strings.Trim(notNameRune.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
