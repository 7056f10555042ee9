package statemachine

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
)

// Folder is where the workflows of a project are.
const Folder = "workflows"

// Words returns the words of a workflow's path that make its name: those without the folder of workflows and the
// extension. A last element `pipeline`, as imported files are mostly called, is left out.
func Words(file string) string {
	words := strings.TrimPrefix(strings.TrimSuffix(file, path.Ext(file)), Folder+"/")

	return strings.TrimSuffix(words, "/pipeline")
}

// nameOf returns what the workflow of a file is called.
func (s *Set) nameOf(d *document) string {
	words := Words(d.path)
	name := NameOf(words)
	if name == "" {
		s.project.List.Add(diag.New(diag.InvalidName, frontend.WholeFile(d.file), "no name of a workflow can be made of %q",
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
