package loader

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/agentmd"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// almostProject returns the first file of a folder that is not a project which would make one of it under another name, and
// that name; "" if there is none.
func almostProject(fsys fs.FS) (file, want string) {
	top, err := source.Names(fsys, ".")
	if err != nil {
		return "", ""
	}
	for _, dir := range top {
		names, err := source.Names(fsys, dir)
		if err != nil {
			continue // no folder, or one that says nothing
		}
		switch {
		case meansFolder(dir, agentmd.AgentsFolder):
			file, want = almostAgent(fsys, dir, names)
		case meansFolder(dir, statemachine.Folder):
			file, want = almostWorkflow(dir, names)
		case slices.Contains(names, agentmd.AgentFile):
			file, want = path.Join(dir, agentmd.AgentFile), path.Join(agentmd.AgentsFolder, dir, agentmd.AgentFile)
		}
		if file != "" {
			return file, want
		}
	}

	return "", ""
}

// meansFolder reports whether a folder is called so, or nearly so.
func meansFolder(name, want string) bool {
	_, near := diag.Nearest(name, []string{want})

	return name == want || near
}

// almostAgent looks in a folder that is called almost like that of the agents, or like it, for a file that describes one.
func almostAgent(fsys fs.FS, dir string, names []string) (file, want string) {
	for _, name := range names {
		if stem, isProse := strings.CutSuffix(name, ".md"); isProse && stem != strings.ToUpper(stem) {
			return path.Join(dir, name), path.Join(agentmd.AgentsFolder, stem, agentmd.AgentFile)
		}
		if there, err := source.HasFile(fsys, path.Join(dir, name, agentmd.AgentFile)); there && err == nil {
			return path.Join(dir, name, agentmd.AgentFile), path.Join(agentmd.AgentsFolder, name, agentmd.AgentFile)
		}
	}

	return "", ""
}

// almostWorkflow looks for a workflow in a folder that is called almost like that of the workflows.
func almostWorkflow(dir string, names []string) (file, want string) {
	for _, name := range names {
		if ext := path.Ext(name); ext == ".yaml" || ext == ".yml" {
			return path.Join(dir, name), path.Join(statemachine.Folder, strings.TrimSuffix(name, ext)+".yaml")
		}
	}

	return "", ""
}
