package statemachine

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// scriptExt is the extension of a workflow's script, after the name of the workflow.
const scriptExt = ".script.json"

// Find looks for workflows and their scripts. It skips folders and broken links.
func (s *Set) Find() {
	if s.alone != "" {
		s.paths = []string{s.alone}
		return
	}
	for _, name := range s.project.ListNames(Folder) {
		s.findFile(name)
	}
}

// IsProject reports whether a folder has workflows. An unreadable folder has none.
func IsProject(fsys fs.FS) bool {
	names, err := source.Names(fsys, Folder)

	return err == nil && slices.ContainsFunc(names, func(name string) bool {
		ext := path.Ext(name)
		return ext == ".yaml" || ext == ".yml"
	})
}

// findFile classifies one entry of the folder.
func (s *Set) findFile(name string) {
	stem, yml := strings.CutSuffix(name, ".yml")
	isScript := strings.HasSuffix(name, scriptExt)
	if !yml && !isScript && path.Ext(name) != ".yaml" {
		return
	}
	file := path.Join(Folder, name)
	switch {
	case !s.project.HasFile(file):
	case source.EscapingLink(s.project.FS, file) != "":
		s.addStray(file, name)
	case yml:
		s.addStray(file, stem+".yaml")
	case isScript:
		s.scripts = append(s.scripts, file)
	default:
		s.paths = append(s.paths, file)
	}
}

func (s *Set) addStray(file, want string) {
	s.project.Strays = append(s.project.Strays, frontend.Stray{Path: file, Want: want, Known: func(f *source.File) {
		s.project.AddEmptyAgent(strings.TrimSuffix(want, path.Ext(want)), f)
	}})
}

// Read reads the workflows and their imports, and registers their names, which they share with
// agents.
func (s *Set) Read() {
	s.readWorkflows(s.paths)
	workflows := ir.Map(s.documents, func(d *document) *ir.Agent { return d.agent })
	for _, w := range workflows {
		w.Scripted = slices.Contains(s.scripts, trimExtension(w.File.Path)+scriptExt)
		switch other := s.project.FindAgent(w.Folder); {
		case other == nil:
			s.project.AddAgent(w)
		case !slices.Contains(workflows, other): // else it has been reported
			at := w.Name.Span
			if at.Start < 0 { // the name comes from the file
				at = frontend.FirstLine(w.File)
			}
			s.project.List.Add(diag.New(diag.DuplicateName, at, "agent %q and workflow %q have the same name", other.Name.Value,
				w.File.Path).WithHint("rename one of the two").Note(other.Name.Span, "the agent is here"))
		}
	}
	for _, w := range workflows { // the file name, if it differs
		s.project.AddName(path.Base(trimExtension(w.File.Path)), w)
	}
}

// trimExtension returns the path of a file without its extension.
func trimExtension(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// NameOf makes a name of the words of a workflow's path, or returns "".
func NameOf(words string) string {
	if frontend.IsValidName(words) {
		return words
	}

	return frontend.NearestName(words)
}

// Folder is the folder of a project's workflows.
const Folder = "workflows"

// NameWords returns the part of a workflow's path that makes its name: without the folder, the
// extension and a last element pipeline, which most imported files have.
func NameWords(file string) string {
	words := strings.TrimPrefix(strings.TrimSuffix(file, path.Ext(file)), Folder+"/")

	return strings.TrimSuffix(words, "/pipeline")
}

// nameOf returns the name of the workflow of a file.
func (s *Set) nameOf(d *document) string {
	words := NameWords(d.path)
	name := NameOf(words)
	if name == "" {
		s.project.List.Add(diag.New(diag.InvalidName, frontend.WholeFile(d.file), "%q cannot be turned into the name of a workflow",
			path.Base(d.path)).WithHint("rename the file: a name has lower-case letters, digits and hyphens"))
		return words
	}
	if other := s.byName[name]; other != nil {
		s.project.List.Add(diag.New(diag.DuplicateName, frontend.WholeFile(d.file), "workflows %q and %q would both be called %q",
			other.path, d.path, name).WithHint("rename one of the files"))
		return name
	}
	s.byName[name] = d

	return name
}
