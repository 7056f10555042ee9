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

// NotProjectError says that no project was found where one was expected.
type NotProjectError struct {
	// Path is what was given.
	Path string
	// Above says that the folders above Path were looked at too, which happens for a file and for an agent's own folder.
	Above bool
	// Almost is a file in Path that would make a project of it if it were called Want; both "" where there is none.
	Almost, Want string
	// Foreign is a file of another system that was found, What is what it is and Advice what to do; all "" where there is none.
	Foreign, What, Advice string
	// Instead says what Path is where a workflow is expected and it is no file; "" else.
	Instead string
}

// Error names what was looked for, and what was found instead.
func (e *NotProjectError) Error() string {
	if e.Instead != "" {
		return fmt.Sprintf("%s is %s, and a workflow is a file", e.Path, e.Instead)
	}
	if e.Above {
		return fmt.Sprintf("%s is not part of a project: no folder above it has agents/<name>/AGENT.md or workflows/<name>.yaml", e.Path) + e.foreign()
	}
	message := fmt.Sprintf("%s is not a project: it has neither agents/<name>/AGENT.md nor workflows/<name>.yaml", e.Path)
	if e.Foreign != "" {
		return message + e.foreign()
	}
	if e.Almost != "" {
		message += fmt.Sprintf(" (if %s is meant, call it %s)", e.Almost, e.Want)
	}

	return message
}

// foreign says which file of another system was found; "" where none was.
func (e *NotProjectError) foreign() string {
	if e.Foreign == "" {
		return ""
	}

	return fmt.Sprintf("; %s is %s: %s", e.Foreign, e.What, e.Advice)
}

// setForeign notes a file of another system, if it is one.
func (e *NotProjectError) setForeign(file string, format *foreign.Format) {
	if format != nil {
		e.Foreign, e.What, e.Advice = file, format.Name, format.Advice
	}
}

// Place is where a project is.
type Place struct {
	// Dir is its folder, as an absolute path.
	Dir string
	// File is the path of the file that was named, in Dir and with forward slashes; "" where a folder was.
	File string
	// Alone says that File is a workflow which is a project of its own.
	Alone bool
}

// Find returns the project that path means. A folder is its own project. For a file, and for a folder with an AGENT.md
// or a SKILL.md in it, it is the nearest folder above that is a project; a workflow file below none is one of its own. The
// error is a *NotProjectError, or that of the file system when path does not exist.
func Find(path string) (Place, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Place{}, err
	}
	file := path
	if info.IsDir() {
		if IsProject(os.DirFS(path)) {
			dir, err := filepath.Abs(path)
			return Place{Dir: dir}, err
		}
		if file = documentIn(path); file == "" {
			e := &NotProjectError{Path: path}
			if _, err := projectAbove(path, path); err != nil { // else nothing in the folder is meant to be another one
				e.Almost, e.Want = almostProject(os.DirFS(path))
				e.setForeign(foreign.FindInFolder(os.DirFS(path)))
			}
			return Place{}, e
		}
	}

	return projectAbove(path, file)
}

// documentIn returns the AGENT.md or SKILL.md of a folder, or "".
func documentIn(dir string) string {
	for _, name := range []string{agentmd.AgentFile, agentmd.SkillFile} {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
	}

	return ""
}

func projectAbove(path, file string) (Place, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return Place{}, err
	}
	for above := filepath.Dir(absolute); ; above = filepath.Dir(above) {
		if IsProject(os.DirFS(above)) {
			only, err := filepath.Rel(above, absolute)
			return Place{Dir: above, File: filepath.ToSlash(only)}, err
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	if name := filepath.Base(absolute); filepath.Ext(name) == ".yaml" && name != configFile {
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
			return Place{}, &NotProjectError{Path: path, Instead: frontend.DescribeMode(info.Mode())}
		}
		return Place{Dir: filepath.Dir(absolute), File: name, Alone: true}, nil
	}

	e := &NotProjectError{Path: path, Above: true}
	e.setForeign(filepath.Base(absolute), foreign.FormatOfFile(os.DirFS(filepath.Dir(absolute)), filepath.Base(absolute)))

	return Place{}, e
}

// IsProject reports whether the root of fsys is a project: it has at least one agents/<name>/AGENT.md or
// workflows/<name>.yaml, or such a file that Load reports as misplaced or misnamed. Folders that cannot be read have none.
func IsProject(fsys fs.FS) bool {
	return statemachine.IsProject(fsys) || agentmd.IsProject(fsys)
}

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
