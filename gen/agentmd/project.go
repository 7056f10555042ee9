package agentmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/agentc-dev/agentc/gen/projectfs"
)

// NotProjectError says that no project was found where one was expected.
type NotProjectError struct {
	// Path is what was given.
	Path string
	// Above says that the folders above Path were looked at too, which happens for a file and for an agent's own folder.
	Above bool
}

// Error names what was looked for.
func (e *NotProjectError) Error() string {
	if e.Above {
		return fmt.Sprintf("%s belongs to no project: no folder above it has agents/<name>/AGENT.md or workflows/<name>.yaml", e.Path)
	}

	return fmt.Sprintf("%s is no project: it has neither agents/<name>/AGENT.md nor workflows/<name>.yaml", e.Path)
}

// FindProject returns the folder of the project that path means, as an absolute path. A folder is its own project. For a file, and for a
// folder with an AGENT.md or a SKILL.md in it, it is the nearest folder above that is a project, and only is the file's
// path in it, with forward slashes; for a folder only is "". A workflow file that lies in no project's folder of workflows is a
// project of its own, see [Alone]. The error is a *NotProjectError, or that of the file system
// when path does not exist.
func FindProject(path string) (dir, only string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", err
	}
	file := path
	if info.IsDir() {
		if IsProject(os.DirFS(path)) {
			dir, err := filepath.Abs(path)
			return dir, "", err
		}
		if file = documentIn(path); file == "" {
			return "", "", &NotProjectError{Path: path}
		}
	}

	return projectAbove(path, file)
}

// documentIn returns the AGENT.md or SKILL.md of a folder, or "".
func documentIn(dir string) string {
	for _, name := range []string{agentFile, skillFile} {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
	}

	return ""
}

// isWorkflow reports whether a file is a workflow outside of a project's folder of workflows.
func isWorkflow(file string) bool {
	dir, name := filepath.Split(file)
	ext := filepath.Ext(name)

	return (ext == ".yaml" || ext == ".yml") && name != configFile && filepath.Base(dir) != workflowsFolder
}

// Alone reports whether what FindProject returns as only is a workflow that is a project of its own, and not a file of one.
func Alone(only string) bool { return only != "" && path.Dir(only) == "." && isWorkflow(only) }

func projectAbove(path, file string) (dir, only string, err error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return "", "", err
	}
	if isWorkflow(absolute) {
		return filepath.Dir(absolute), filepath.Base(absolute), nil
	}
	for above := filepath.Dir(absolute); ; above = filepath.Dir(above) {
		if IsProject(os.DirFS(above)) {
			only, err := filepath.Rel(above, absolute)
			return above, filepath.ToSlash(only), err
		}
		if above == filepath.Dir(above) {
			return "", "", &NotProjectError{Path: path, Above: true}
		}
	}
}

// IsProject reports whether the root of fsys is a project: it has at least one agents/<name>/AGENT.md or
// workflows/<name>.yaml, or an AGENT.md that Load reports as misplaced or misnamed. Folders that cannot be read have none.
func IsProject(fsys fs.FS) bool {
	workflows, err := projectfs.Names(fsys, workflowsFolder)
	if err == nil {
		for _, name := range workflows {
			if filepath.Ext(name) == ".yaml" {
				return true
			}
		}
	}
	agents, err := projectfs.Names(fsys, agentsFolder)
	if err != nil {
		return false
	}
	for _, name := range agents {
		_, err := fs.Stat(fsys, agentsFolder+"/"+name+"/"+agentFile)
		if err == nil || errors.Is(err, fs.ErrPermission) {
			return true
		}
	}
	if len(agents) == 0 {
		return false
	}
	found, err := findFiles(fsys)

	return err == nil && slices.ContainsFunc(found.strays, func(s stray) bool { return s.want == agentFile })
}
