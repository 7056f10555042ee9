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

// Format is a kind of source files. The loader takes each step with all formats, in their order, before it takes the next one.
// A mistake of the user is added to the project's list; that a file or folder cannot be read is [Project.Err].
type Format interface {
	// Find looks for the format's files, and adds those that are only almost its own to the project's strays.
	Find()
	// Read reads and parses them, and makes known by name what they define.
	Read()
	// Lower gives the agents their nodes. The names of all formats are known, and what the formats before it give.
	Lower()
	// Link does what needs the nodes of all agents.
	Link()
}

// Project is a project that is being read.
type Project struct {
	// FS has the project's folder as its root.
	FS fs.FS
	// List is where mistakes go.
	List *diag.List
	// Program is what has been understood so far.
	Program *ir.Program
	// Strays are files that are passed over.
	Strays []Stray
	// Err is the first error of a file or a folder that could not be read. What is done in the same step after it counts for nothing.
	Err error

	agents map[string]*ir.Agent
	faulty map[*source.File]bool
}

// New returns a project of which nothing has been read.
func New(fsys fs.FS, list *diag.List) *Project {
	return &Project{
		FS: fsys, List: list, Program: &ir.Program{}, agents: map[string]*ir.Agent{}, faulty: map[*source.File]bool{},
	}
}

// Fail keeps the first error, if it is one.
func (p *Project) Fail(err error) { p.Err = cmp.Or(p.Err, err) }

// ReadFile reads a file of the project. Whether it is UTF-8 is left to the parsers.
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

// Names is [source.Names] for a folder of the project.
func (p *Project) Names(dir string) []string {
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

// Named says how a text names a file of the project.
type Named struct {
	// Prefix is what is before its path, such as script:.
	Prefix string
	// Folder is what the path is relative to, and From how a message says that.
	Folder, From string
	// IsAlike reports whether a name can be that of such a file.
	IsAlike func(name string) bool
}

// NamedFile returns the path of the file that a text names, "" of one outside of the project, or why there is none: check is for one that
// is not there, which is reported with the file that was most likely meant. what says what the text is.
func (p *Project) NamedFile(check *diag.Check, what string, text ir.Text, by Named) (string, *diag.Diagnostic) {
	written := strings.TrimPrefix(text.Value, by.Prefix)
	file, ok := source.Inside(by.Folder, written)
	if !ok || file == "." {
		return "", diag.New(diag.BadValue, text.Span, "%s %q is not a file inside the project", what, text.Value).
			WithHint("write its path relative to %s, with forward slashes", by.From)
	}
	if link := source.Link(p.FS, file); link != "" {
		return file, diag.New(diag.BadValue, text.Span, "%s %q: %q is a symbolic link, and the file has to be in the project itself",
			what, text.Value, link)
	}
	if p.HasFile(file) {
		return file, nil
	}
	d := diag.New(check, text.Span, "%s %q: there is no file %q", what, text.Value, file)
	folder := path.Dir(file)
	names, _ := source.Names(p.FS, folder) // else what is there is of no help
	names = ir.Where(names, func(name string) bool { return by.IsAlike(name) && source.IsFile(p.FS, path.Join(folder, name)) })
	if near, ok := diag.Nearest(path.Base(file), names); ok {
		d.Suggest(text.Value, []string{strings.TrimSuffix(text.Value, path.Base(written)) + near})
	}

	return file, d
}

// Report adds what was found in a file's head, and remembers whether the file can be relied on.
func (p *Project) Report(f *source.File, findings []*diag.Diagnostic) {
	p.List.Add(findings...)
	p.faulty[f] = p.faulty[f] || slices.ContainsFunc(findings, (*diag.Diagnostic).IsError)
}

// IsFaulty reports whether the head of a file has an error.
func (p *Project) IsFaulty(f *source.File) bool { return p.faulty[f] }

// Agent returns the agent or the workflow of a name; nil if there is none.
func (p *Project) Agent(name string) *ir.Agent { return p.agents[name] }

// AddAgent adds an agent under its folder's name, which is what references mean.
func (p *Project) AddAgent(a *ir.Agent) {
	p.Program.Agents = append(p.Program.Agents, a)
	p.agents[a.Folder] = a
}

// AddName lets references find an agent by another name too, unless something else has it.
func (p *Project) AddName(name string, a *ir.Agent) {
	p.agents[name] = cmp.Or(p.agents[name], a)
}

// AddEmptyAgent makes an agent known of which nothing but its name can be used.
func (p *Project) AddEmptyAgent(name string, f *source.File) {
	if p.agents[name] == nil {
		p.AddAgent(&ir.Agent{Name: ir.Text{Value: name}, Folder: name, File: f})
	}
}

var (
	validName   = regexp.MustCompile(`^_?[a-z0-9][a-z0-9-]*$`)
	notNameRune = regexp.MustCompile(`[^a-z0-9]+`)
)

// ValidName reports whether an agent or a skill can have the name.
func ValidName(text string) bool { return validName.MatchString(text) }

// CheckName reports a name that is not one, or that differs from its folder's. what is "agent" or "skill". Of the two
// only one is reported: a name that is replaced by the folder's is right in both ways.
func (p *Project) CheckName(what string, name ir.Text, folder string) {
	if name.Value == "" || !name.Span.IsValid() {
		return // the schema has asked for it
	}

	switch {
	case !validName.MatchString(name.Value):
		d := diag.New(diag.InvalidName, name.Span,
			"%s name %q: a name has lower-case letters, digits and hyphens, and may begin with _", what, name.Value)
		p.List.Add(fixName(d, name, folder))
	case name.Value != folder && validName.MatchString(folder):
		d := diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder)
		p.List.Add(fixName(d, name, folder))
	case name.Value != folder:
		p.List.Add(diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder).
			WithHint("rename the folder to %q", name.Value))
	}
}

// fixName offers the folder's name if it is one; else the nearest name, which needs the folder renamed by hand.
func fixName(d *diag.Diagnostic, name ir.Text, folder string) *diag.Diagnostic {
	if validName.MatchString(folder) {
		if d.WithHint("the folder is called %q", folder); folder != "null" { // which is not text without quotes
			d.WithFix(fmt.Sprintf("replace %q with %q", name.Value, folder), name.Span, folder)
		}
		return d
	}
	if near := NearestName(name.Value); near != "" {
		d.WithHint("rename it and its folder to %q", near)
	}

	return d
}

// NearestName makes a name of any text; "" if the text has letters that a name cannot have, or nothing to make it of.
func NearestName(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
		return ""
	}

	return strings.Trim(notNameRune.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
