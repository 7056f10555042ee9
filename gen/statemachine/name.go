package statemachine

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// Folder is where the workflows of a project lie.
const Folder = "workflows"

// nameOf returns what the workflow of a file is called: after its path without the folder of workflows and the extension, with
// hyphens for slashes. A last element `pipeline`, as imported files are mostly called, is left out.
func (s *Set) nameOf(d *document) string {
	words := strings.TrimPrefix(strings.TrimSuffix(d.path, path.Ext(d.path)), Folder+"/")
	words = strings.TrimSuffix(words, "/pipeline")
	name := s.project.Name(words)
	if name == "" {
		s.project.List.Add(diag.New(diag.InvalidName, top(d.file), "no name of a workflow can be made of %q", path.Base(d.path)).
			WithHint("rename the file: a name has lower-case letters, digits and hyphens"))
		return words
	}
	if other := s.byName[name]; other != nil {
		s.project.List.Add(diag.New(diag.DuplicateName, top(d.file), "workflows %q and %q would both be called %q",
			other.path, d.path, name).WithHint("rename one of the files"))
		return name
	}
	s.byName[name] = d

	return name
}
