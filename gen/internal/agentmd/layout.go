package agentmd

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/projectfs"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// The names that make a project.
const (
	agentsFolder = "agents"
	skillsFolder = "skills"
	agentFile    = "AGENT.md"
	skillFile    = "SKILL.md"
	configFile   = "agentc.yaml"
	tamaFile     = "tama.toml"
	pricesFile   = "prices.yaml"
)

// layout is where the files of a project lie. All lists are sorted.
type layout struct {
	agents    []folder // folders below agents that have an AGENT.md
	skills    []folder // folders below skills that have a SKILL.md
	workflows []string // paths of workflow files
	scripts   []string // paths of the scripts beside them
	strays    []stray
	alone     bool // the first workflow is the whole project
	config    bool // agentc.yaml is there
	tama      bool // tama.toml is there
	prices    bool // prices.yaml is there
}

// folder is the folder of an agent or a skill.
type folder struct {
	name  string
	files []string // names of all files in it
}

// pathsOf returns the path of the same file in each folder below parent.
func pathsOf(parent string, folders []folder, file string) []string {
	paths := make([]string, len(folders))
	for i, f := range folders {
		paths[i] = path.Join(parent, f.name, file)
	}

	return paths
}

// stray is a file that is not read because its name is almost that of one that is, because it lies elsewhere, or because it is no
// file.
type stray struct {
	path string
	want string // the name that is read
}

func findFiles(fsys fs.FS) (*layout, error) {
	found := &layout{}
	err := found.findConfig(fsys)
	if err != nil {
		return nil, err
	}
	if found.agents, err = found.folders(fsys, agentsFolder, agentFile); err != nil {
		return nil, err
	}
	if found.skills, err = found.folders(fsys, skillsFolder, skillFile); err != nil {
		return nil, err
	}

	return found, found.findWorkflows(fsys)
}

// findWorkflows looks for workflows and their scripts. A folder, or a link that leads nowhere, is neither, whatever its
// name.
func (found *layout) findWorkflows(fsys fs.FS) error {
	names, err := projectfs.Names(fsys, statemachine.Folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		stem, yml := strings.CutSuffix(name, ".yml")
		script := strings.HasSuffix(name, scriptExt)
		if !yml && !script && path.Ext(name) != ".yaml" {
			continue
		}
		file := path.Join(statemachine.Folder, name)
		there, err := projectfs.HasFile(fsys, file)
		switch {
		case err != nil:
			return err
		case !there:
		case projectfs.Escape(fsys, file) != "":
			found.strays = append(found.strays, stray{path: file, want: name})
		case yml:
			found.strays = append(found.strays, stray{path: file, want: stem + ".yaml"})
		case script:
			found.scripts = append(found.scripts, file)
		default:
			found.workflows = append(found.workflows, file)
		}
	}

	return nil
}

// findAlone is the layout of a workflow that is a project of its own.
func findAlone(fsys fs.FS, file string) (*layout, error) {
	found := &layout{workflows: []string{file}, alone: true}

	return found, found.findConfig(fsys)
}

// findConfig looks for the files at the top.
func (found *layout) findConfig(fsys fs.FS) error {
	top, err := projectfs.Names(fsys, ".")
	if err != nil {
		return err
	}
	known := map[string]*bool{configFile: &found.config, tamaFile: &found.tama, pricesFile: &found.prices}
	for _, name := range top {
		there := known[name]
		if there == nil {
			found.noteConfig(name)
			continue
		}
		if *there, err = found.readable(fsys, name, name); err != nil {
			return err
		}
	}

	return nil
}

// readable reports whether what is called as the file want is one; if not, it is noted.
func (found *layout) readable(fsys fs.FS, file, want string) (bool, error) {
	instead, err := notFile(fsys, file)
	if err == nil && instead != "" {
		found.strays = append(found.strays, stray{path: file, want: want})
	}

	return err == nil && instead == "", err
}

// noteConfig notes a file at the top that was meant to be the config, and is not called so.
func (found *layout) noteConfig(name string) {
	switch {
	case strings.EqualFold(name, configFile) || strings.EqualFold(name, "agentc.yml"):
		found.strays = append(found.strays, stray{path: name, want: configFile})
	case strings.EqualFold(name, tamaFile):
		found.strays = append(found.strays, stray{path: name, want: tamaFile})
	case strings.EqualFold(name, pricesFile) || strings.EqualFold(name, "prices.yml"):
		found.strays = append(found.strays, stray{path: name, want: pricesFile})
	}
}

// folders returns the folders below parent that have a file called want, and notes files that were meant to be such a file.
func (found *layout) folders(fsys fs.FS, parent, want string) ([]folder, error) {
	names, err := projectfs.Names(fsys, parent)
	if err != nil {
		return nil, err
	}

	var folders []folder
	for _, name := range names {
		dir := path.Join(parent, name)
		info, err := fs.Stat(fsys, dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a link that leads nowhere
		case err != nil:
			return nil, err
		case !info.IsDir() && name == want:
			found.strays = append(found.strays, stray{path: dir, want: want})
			continue
		case !info.IsDir():
			continue // as a rule generated Go
		}
		files, err := projectfs.Names(fsys, dir)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(files, want) {
			found.noteMeant(fsys, dir, files, want)
			continue
		}
		there, err := found.readable(fsys, path.Join(dir, want), want)
		switch {
		case err != nil:
			return nil, err
		case there:
			folders = append(folders, folder{name: name, files: files})
		}
	}

	return folders, nil
}

// noteMeant notes, in a folder that has no file called want, those whose name differs from it in case only or that lie one
// folder too deep. In a folder of nothing but Markdown a misspelled name counts too.
func (found *layout) noteMeant(fsys fs.FS, dir string, files []string, want string) {
	prose := !slices.ContainsFunc(files, func(file string) bool { return path.Ext(file) != ".md" })
	for _, file := range files {
		_, near := diag.Nearest(strings.ToUpper(file), []string{strings.ToUpper(want)})
		deeper := path.Join(dir, file, want)
		if strings.EqualFold(file, want) || near && prose {
			found.strays = append(found.strays, stray{path: path.Join(dir, file), want: want})
		} else if info, err := fs.Stat(fsys, deeper); err == nil && !info.IsDir() && !projectfs.IsLink(fsys, dir) {
			found.strays = append(found.strays, stray{path: deeper, want: want})
		}
	}
}
