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

// Set holds the workflows of a project. It implements the format of StateMachine YAML.
type Set struct {
	project *frontend.Project
	// alone is the workflow that is a project by itself; "" in a project folder.
	alone string
	// paths are the project's own workflows, scripts the scripts with which some of them run on
	// their own.
	paths, scripts []string
	// documents are in the order of discovery: those of the project, then their imports.
	documents []*document
	byPath    map[string]*document
	byName    map[string]*document
	prompts   map[string]*source.File
	functions map[string]*function
}

// New returns the workflows of a project. If alone is not empty, it names the only workflow, in the
// root of the project.
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
	// root is nil if the file could not be parsed. faulty is true if the file does not fit the
	// schema.
	root   *yamldoc.Node
	faulty bool
	agent  *ir.Agent
	// imports are the documents by alias; nil for an alias with a reported mistake.
	imports map[string]*document
	// imported is true for a file that is only there because another one imports it. runInside is
	// true if a workflow imports the file.
	imported, runInside bool

	stage stage
	// output is the type of a run's output. context is the schema of the context, or nil if it is
	// open. next are the values of next_state that a run may leave behind.
	output  ir.Type
	context *ir.Schema
	next    nextStates
}

// stage is the progress of lowering a document.
type stage uint8

const (
	unread stage = iota
	lowering
	lowered
)

// IsImported reports whether a workflow is only there because another one imports its file.
func (s *Set) IsImported(a *ir.Agent) bool {
	return slices.ContainsFunc(s.documents, func(d *document) bool { return d.agent == a && d.imported })
}

// Lower sets the node of each workflow, and the functions of the program, sorted by name.
func (s *Set) Lower() {
	for _, d := range s.documents {
		s.declareFunctions(d)
	}
	for _, d := range s.documents {
		s.lowerDocument(d)
	}
	s.leaveOutMissing()
	for _, name := range slices.Sorted(maps.Keys(s.functions)) {
		if f := s.functions[name]; f.used {
			s.project.Program.Funcs = append(s.project.Program.Funcs, &f.Func)
		}
	}
}

// Link does nothing: a workflow does not depend on the agents that run it.
func (*Set) Link() {}

// Entry returns the only workflow of the project.
func (s *Set) Entry() *ir.Agent { return s.documents[0].agent }

// report adds diagnostics of a workflow. After an error the workflow is incomplete.
func (s *Set) report(d *document, findings ...*diag.Diagnostic) {
	for _, f := range findings {
		d.faulty = d.faulty || f.Severity == diag.Error
		d.dropUncertainFixes(f)
	}
	s.project.List.Add(findings...)
}

// lowerDocument lowers a workflow after its imports. In a cycle of imports, which the checks
// report, the import that closes the cycle is unknown.
func (s *Set) lowerDocument(d *document) {
	if d.stage != unread {
		return
	}
	d.stage = lowering
	for _, alias := range slices.Sorted(maps.Keys(d.imports)) {
		if child := d.imports[alias]; child != nil {
			s.lowerDocument(child)
		}
	}
	s.lowerWorkflow(d)
	d.stage = lowered
}

// nameChecks are the checks of undefined names of a file.
var nameChecks = []*diag.Check{
	diag.DanglingNextState, diag.UndefinedAgent, diag.UndefinedImport,
	diag.UndefinedStepOutput, diag.UndefinedVariable,
}

// languageNames are names that no file declares.
var languageNames = []string{
	"context", "previous_step", "steps", "output", "resume_input", "this", "event", "last_output", "last_step", errorName, ir.InputName,
	ir.NextState, ir.CurrentState,
}

// dropUncertainFixes drops the fix of an undefined name if the other name may be misspelled: a
// workflow declares its own names, so either can be wrong. The fix stays if the undefined name
// occurs once in the file and the other one more often.
func (d *document) dropUncertainFixes(f *diag.Diagnostic) {
	if d.file == nil || !slices.Contains(nameChecks, f.Check) {
		return
	}
	if len(f.Fixes) != 1 || len(f.Fixes[0].Edits) != 1 {
		return
	}
	edit := f.Fixes[0].Edits[0]
	if slices.Contains(languageNames, edit.New) {
		return
	}
	if d.countWord(edit.Span.Text()) != 1 || d.countWord(edit.New) < 2 {
		f.Fixes = nil
	}
}

// countWord returns how often the last word of a name, such as writer of agents.writer, is in the
// file.
func (d *document) countWord(name string) int {
	word := name[strings.LastIndexAny(name, ".:")+1:]
	whole := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`)

	return len(whole.FindAllIndex(d.file.Bytes, -1))
}
