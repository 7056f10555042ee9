package loader

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/agentmd"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// Load reads the project whose folder is the root of fsys and adds every mistake in it to list. The
// program is as complete as the mistakes allow, and never nil. It can have gaps if list has errors,
// but all its references are right. The error reports a file or a folder that could not be read.
func Load(fsys fs.FS, list *diag.List) (*ir.Program, error) {
	l := newLoader(fsys, list)
	l.workflows = statemachine.New(l.Project, "")
	l.formats = []frontend.Format{agentmd.New(l.Project), l.workflows}
	err := l.load()
	l.findEntry()

	return l.Program, err
}

// LoadAlone loads a workflow that is a project of its own. It reads file, which is in the root of
// fsys, its imports, and the config. The workflow is the entry point.
func LoadAlone(fsys fs.FS, file string, list *diag.List) (*ir.Program, error) {
	l := newLoader(fsys, list)
	l.workflows = statemachine.New(l.Project, file)
	l.formats = []frontend.Format{l.workflows}
	err := l.load()
	if err == nil {
		l.Program.EntryName, l.Program.Entry = ir.Text{}, l.workflows.Entry()
	}

	return l.Program, err
}

// loader holds the state that the steps of one Load share.
type loader struct {
	*frontend.Project

	formats   []frontend.Format
	workflows *statemachine.Set
	// These report which of the files at the top exist.
	hasConfig, hasTama, hasPrices bool
	// answers are the models that are files of the project and that have been read.
	answers map[string]bool
}

func newLoader(fsys fs.FS, list *diag.List) *loader {
	return &loader{Project: frontend.New(fsys, list), answers: map[string]bool{}}
}

// load runs the steps of reading a project.
func (l *loader) load() error {
	steps := []func(){
		l.findTop, l.forEachFormat(frontend.Format.Find),
		l.readConfig, l.readPrices, l.forEachFormat(frontend.Format.Read), l.reportStrays,
		l.forEachFormat(frontend.Format.Lower), l.forEachFormat(frontend.Format.Link), l.readScripts,
	}
	for _, step := range steps {
		step()
		if l.Err != nil {
			return fmt.Errorf("reading the project: %w", l.Err)
		}
	}
	slices.SortFunc(l.Program.Agents, func(a, b *ir.Agent) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(l.Program.Files, func(a, b *source.File) int { return cmp.Compare(a.Path, b.Path) })

	return nil
}

// forEachFormat returns a step that runs step for all formats.
func (l *loader) forEachFormat(step func(frontend.Format)) func() {
	return func() {
		for _, f := range l.formats {
			step(f)
		}
	}
}

// reportStrays reports the files that Load ignores.
func (l *loader) reportStrays() {
	for _, s := range l.Strays {
		l.ReportStray(s)
	}
}

// findEntry sets the entry point. It is the agent from the config, or else the only agent that no
// other agent contains. Workflows that others import are not candidates.
func (l *loader) findEntry() {
	p := l.Program
	if p.EntryName.Value != "" {
		p.Entry = l.FindAgent(p.EntryName.Value)
		return
	}

	tops := slices.DeleteFunc(p.TopLevelAgents(), func(a *ir.Agent) bool { return a.IsGoDriven() || l.workflows.IsImported(a) })
	if len(tops) == 1 {
		p.Entry = tops[0]
	}
}

// The files at the top of a project.
const (
	configFile = "agentc.yaml"
	tamaFile   = "tama.toml"
	pricesFile = "prices.yaml"
)

// findTop looks for the files at the top.
func (l *loader) findTop() {
	known := map[string]*bool{configFile: &l.hasConfig, tamaFile: &l.hasTama, pricesFile: &l.hasPrices}
	for _, name := range l.ListNames(".") {
		if there := known[name]; there != nil {
			*there = l.AddUnlessFile(frontend.Stray{Path: name, Want: name})
			continue
		}
		// A name is similar to at most one of them.
		for want := range known {
			if strings.EqualFold(name, want) || strings.EqualFold(name, strings.Replace(want, ".yaml", ".yml", 1)) {
				l.Strays = append(l.Strays, frontend.Stray{Path: name, Want: want})
			}
		}
	}
}
