package frontend

import (
	"io/fs"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

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

	agents map[string]*ir.Agent
	faulty map[*source.File]bool
}

// New returns a project of which nothing has been read.
func New(fsys fs.FS, list *diag.List) *Project {
	return &Project{
		FS: fsys, List: list, Program: &ir.Program{}, agents: map[string]*ir.Agent{}, faulty: map[*source.File]bool{},
	}
}

// ReadFile reads a file of the project. Whether it is UTF-8 is left to the parsers.
func (p *Project) ReadFile(path string) (*source.File, error) {
	content, err := fs.ReadFile(p.FS, path)
	if err != nil {
		return nil, err
	}

	return p.addFile(path, content), nil
}

func (p *Project) addFile(path string, content []byte) *source.File {
	f := source.NewFile(path, content)
	p.Program.Files = append(p.Program.Files, f)

	return f
}

// Report adds what was found in a file's head, and remembers whether the file can be relied on.
func (p *Project) Report(f *source.File, findings []*diag.Diagnostic) {
	p.List.Add(findings...)
	for _, d := range findings {
		p.faulty[f] = p.faulty[f] || d.Severity == diag.Error
	}
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
	if p.agents[name] == nil {
		p.agents[name] = a
	}
}

// AddEmptyAgent makes an agent known of which nothing but its name can be used.
func (p *Project) AddEmptyAgent(name string, f *source.File) {
	if p.agents[name] == nil {
		p.AddAgent(&ir.Agent{Name: ir.Text{Value: name}, Folder: name, File: f})
	}
}
