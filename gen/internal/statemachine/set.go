package statemachine

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Set are the workflows of a project. It is the format of StateMachine YAML.
type Set struct {
	project *frontend.Project
	// alone is a workflow that is a project of its own; "" in a project folder.
	alone string
	// paths are the project's own workflows, scripts those with which some of them run on their own.
	paths, scripts []string
	// documents are in the order in which they were found: those of the project first, then what they import.
	documents []*document
	byPath    map[string]*document
	byName    map[string]*document
	prompts   map[string]*source.File
	functions map[string]*function
}

// New returns the workflows of a project, or, with alone, the workflow in its root that is the whole of it, and what it imports.
func New(p *frontend.Project, alone string) *Set {
	return &Set{
		project:   p,
		alone:     alone,
		byPath:    map[string]*document{},
		byName:    map[string]*document{},
		prompts:   map[string]*source.File{},
		functions: map[string]*function{},
	}
}

// document is one workflow file.
type document struct {
	path string
	file *source.File
	// root is nil if the file could not be parsed. faulty says that something in it does not fit the schema.
	root   *yamldoc.Node
	faulty bool
	agent  *ir.Agent
	// imports are the files that the aliases mean; nil where that has been reported.
	imports map[string]*document
	// imported says that the file is none of the project's own, but imported by one. runInside says that a workflow imports it,
	// whether it is the project's own or not.
	imported, runInside bool

	stage stage
	// output is what is known of what a run gives. context is its schema; nil when the context is open. next are the values of
	// next_state that a run may leave behind.
	output  ir.Type
	context *ir.Schema
	next    writes
}

// stage says how far a document is lowered.
type stage uint8

const (
	unread stage = iota
	lowering
	lowered
)

// Imported reports whether a workflow is there only because another one imports its file.
func (s *Set) Imported(a *ir.Agent) bool {
	return slices.ContainsFunc(s.documents, func(d *document) bool { return d.agent == a && d.imported })
}

// Lower gives each workflow its node, and the program the functions that they call, sorted by name.
func (s *Set) Lower() {
	for _, d := range s.documents {
		s.declareFunctions(d)
	}
	for _, d := range s.documents {
		s.lower(d)
	}
	for _, name := range slices.Sorted(maps.Keys(s.functions)) {
		if f := s.functions[name]; f.used {
			s.project.Program.Funcs = append(s.project.Program.Funcs, &f.Func)
		}
	}
}

// Link has nothing to do: a workflow reads what the steps before it give, and nothing of the agents that run it.
func (*Set) Link() {}

// Entry returns the workflow that is the whole project.
func (s *Set) Entry() *ir.Agent { return s.documents[0].agent }

// report adds a diagnostic about a workflow; because of an error something in it is missing.
func (s *Set) report(d *document, findings ...*diag.Diagnostic) {
	for _, f := range findings {
		d.faulty = d.faulty || f.Severity == diag.Error
		d.sure(f)
	}
	s.project.List.Add(findings...)
}

// lower gives a workflow its node, after those that it imports. Workflows that import each other in a circle, which is a
// diagnostic of the checks, are lowered as if nothing were known of what closes it.
func (s *Set) lower(d *document) {
	if d.stage != unread {
		return
	}
	d.stage = lowering
	for _, alias := range slices.Sorted(maps.Keys(d.imports)) {
		if child := d.imports[alias]; child != nil {
			s.lower(child)
		}
	}
	s.workflow(d)
	d.stage = lowered
}

// namings are the diagnostics about a name that nothing in the file has.
var namings = []*diag.Check{
	diag.DanglingNextState, diag.UndefinedAgent, diag.UndefinedImport,
	diag.UndefinedStepOutput, diag.UndefinedVariable,
}

// languageNames are names that no file declares.
var languageNames = []string{
	"context", "previous_step", "steps", "output", "resume_input", "this", "event", "last_output", "last_step",
	ir.NextState, ir.CurrentState,
}

// sure takes the fix from a diagnostic about a name where the mistake may be the other one: a workflow declares its names
// itself, so that of two names that differ by a letter either can be the wrong one. It is the one that is in the
// file once, if the other is there more often.
func (d *document) sure(f *diag.Diagnostic) {
	if d.file == nil || !slices.Contains(namings, f.Check) || len(f.Fixes) != 1 || len(f.Fixes[0].Edits) != 1 {
		return
	}
	edit := f.Fixes[0].Edits[0]
	if slices.Contains(languageNames, edit.New) {
		return
	}
	if d.count(edit.Span.Text()) != 1 || d.count(edit.New) < 2 {
		f.Fixes = nil
	}
}

// count returns how often the last word of a name, such as writer of agents.writer, is in the file.
func (d *document) count(name string) int {
	word := name[strings.LastIndexAny(name, ".:")+1:]
	whole := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`)

	return len(whole.FindAllIndex(d.file.Bytes, -1))
}
