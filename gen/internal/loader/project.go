package loader

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/agentmd"
	"github.com/agentc-dev/agentc/gen/internal/foreign"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// NotProjectError reports that no project was found for a path.
type NotProjectError struct {
	// Path is the path from the caller.
	Path string
	// Above reports whether the search included the folders above Path. It does so for a file and
	// for the folder of an agent.
	Above bool
	// Almost is a file in Path that would make it a project if it had the name Want. Both can be
	// "".
	Almost, Want string
	// Foreign is a file of another system, What describes it, and Advice is the next step. All can be
	// "".
	Foreign, What, Advice string
	// Instead describes Path if a workflow was expected there and Path is not a file. Otherwise it
	// is "".
	Instead string
}

// Error describes the project that was expected, and the files that were found instead.
func (e *NotProjectError) Error() string {
	if e.Instead != "" {
		return fmt.Sprintf("%s is %s, and a workflow is a file", e.Path, e.Instead)
	}
	if e.Above {
		return fmt.Sprintf("%s is not part of a project: no folder above it has agents/<name>/AGENT.md or workflows/<name>.yaml", e.Path) + e.describeForeign()
	}
	message := fmt.Sprintf("%s is not a project: it has neither agents/<name>/AGENT.md nor workflows/<name>.yaml", e.Path)
	if e.Foreign != "" {
		return message + e.describeForeign()
	}
	if e.Almost != "" {
		message += fmt.Sprintf(" (if %s is meant, call it %s)", e.Almost, e.Want)
	}

	return message
}

// describeForeign describes the file of another system, or returns "".
func (e *NotProjectError) describeForeign() string {
	if e.Foreign == "" {
		return ""
	}

	return fmt.Sprintf("; %s is %s: %s", e.Foreign, e.What, e.Advice)
}

// setForeign records a file of another system. It does nothing if format is nil.
func (e *NotProjectError) setForeign(file string, format *foreign.Format) {
	if format != nil {
		e.Foreign, e.What, e.Advice = file, format.Name, format.Advice
	}
}

// Location is the location of a project.
type Location struct {
	// Dir is its folder, as an absolute path.
	Dir string
	// File is the path of a named file in Dir, with forward slashes. It is "" if a folder was
	// named.
	File string
	// Alone reports whether File is a workflow that is a project of its own.
	Alone bool
}

// FindProject returns the project for a path. A folder is its own project. For a file, and for a
// folder with an AGENT.md or a SKILL.md in it, the project is the nearest folder above. A workflow
// file that is in no project is a project of its own. The error is a *NotProjectError, or the error
// of the file system if path does not exist.
func FindProject(path string) (Location, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Location{}, err
	}
	file := path
	if info.IsDir() {
		if IsProject(os.DirFS(path)) {
			dir, err := filepath.Abs(path)
			return Location{Dir: dir}, err
		}
		file = documentIn(path)
		if file == "" {
			e := &NotProjectError{Path: path}
			// Inside a project, no file of the folder is meant to be another project.
			if _, err := projectAbove(path, path); err != nil {
				e.Almost, e.Want = findAlmostProject(os.DirFS(path))
				e.setForeign(foreign.FindInFolder(os.DirFS(path)))
			}
			return Location{}, e
		}
	}

	return projectAbove(path, file)
}

// documentIn returns the AGENT.md or SKILL.md in a folder, or "".
func documentIn(dir string) string {
	for _, name := range []string{agentmd.AgentFile, agentmd.SkillFile} {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
	}

	return ""
}

func projectAbove(path, file string) (Location, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return Location{}, err
	}
	for above := filepath.Dir(absolute); ; above = filepath.Dir(above) {
		if IsProject(os.DirFS(above)) {
			only, err := filepath.Rel(above, absolute)
			return Location{Dir: above, File: filepath.ToSlash(only)}, err
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	if name := filepath.Base(absolute); filepath.Ext(name) == ".yaml" && name != configFile {
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
			return Location{}, &NotProjectError{Path: path, Instead: frontend.DescribeMode(info.Mode())}
		}
		return Location{Dir: filepath.Dir(absolute), File: name, Alone: true}, nil
	}

	e := &NotProjectError{Path: path, Above: true}
	e.setForeign(filepath.Base(absolute), foreign.FormatOfFile(os.DirFS(filepath.Dir(absolute)), filepath.Base(absolute)))

	return Location{}, e
}

// IsProject reports whether the root of fsys is a project. A project has at least one
// agents/<name>/AGENT.md or workflows/<name>.yaml, or such a file in a place or with a name that
// Load reports. A folder that cannot be read is not a project.
func IsProject(fsys fs.FS) bool {
	return statemachine.IsProject(fsys) || agentmd.IsProject(fsys)
}

// findAlmostProject returns the first file that would make a folder a project if it had another
// name, and that name. Both are "" if there is no such file.
func findAlmostProject(fsys fs.FS) (file, want string) {
	top, err := source.Names(fsys, ".")
	if err != nil {
		return "", ""
	}
	for _, dir := range top {
		names, err := source.Names(fsys, dir)
		if err != nil {
			continue // a file, or a folder that cannot be read
		}
		switch {
		case meansFolder(dir, agentmd.AgentsFolder):
			file, want = findAlmostAgent(fsys, dir, names)
		case meansFolder(dir, statemachine.Folder):
			file, want = findAlmostWorkflow(dir, names)
		case slices.Contains(names, agentmd.AgentFile):
			file, want = path.Join(dir, agentmd.AgentFile), path.Join(agentmd.AgentsFolder, dir, agentmd.AgentFile)
		}
		if file != "" {
			return file, want
		}
	}

	return "", ""
}

// meansFolder reports whether the name of a folder is want or similar to it.
func meansFolder(name, want string) bool {
	_, near := diag.Nearest(name, []string{want})

	return name == want || near
}

// findAlmostAgent looks for a file that describes an agent in a folder with a name like that of the
// agents.
func findAlmostAgent(fsys fs.FS, dir string, names []string) (file, want string) {
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

// findAlmostWorkflow looks for a workflow in a folder with a name like that of the workflows.
func findAlmostWorkflow(dir string, names []string) (file, want string) {
	for _, name := range names {
		if ext := path.Ext(name); ext == ".yaml" || ext == ".yml" {
			return path.Join(dir, name), path.Join(statemachine.Folder, strings.TrimSuffix(name, ext)+".yaml")
		}
	}

	return "", ""
}
