package command

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// manyArguments is the Max of a command that takes any number of projects.
const manyArguments = math.MaxInt

// openProjects finds the projects of the arguments. Each argument is a folder or a file as for
// [openProject], or ends in /..., which means every project in a folder and below it. The default
// is the working directory. A project that is named twice is returned once.
func openProjects(c *cli.Call) ([]*project, error) {
	arguments := c.Args
	if len(arguments) == 0 {
		arguments = []string{""}
	}
	var all []*project
	for _, argument := range arguments {
		folders := []string{argument}
		if root, isPattern := strings.CutSuffix(filepath.ToSlash(argument), "..."); isPattern && (root == "" || strings.HasSuffix(root, "/")) {
			var err error
			folders, err = projectsBelow(c, argument, cmp.Or(root, "."))
			if err != nil {
				return nil, err
			}
		}
		for _, folder := range folders {
			p, err := openProject(c, folder)
			if err != nil {
				return nil, err
			}
			isSame := func(other *project) bool { return other.dir == p.dir && other.standalone == p.standalone }
			if !slices.ContainsFunc(all, isSame) {
				all = append(all, p)
			}
		}
	}

	return all, nil
}

// projectsBelow returns the folders of the projects in root and below it, sorted. pattern is the
// argument.
func projectsBelow(c *cli.Call, pattern, root string) (folders []string, err error) {
	root = c.Path(root) + string(filepath.Separator) // the separator makes WalkDir follow a symbolic link
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case path != root && isSkipped(entry.Name()):
			return filepath.SkipDir
		}
		if loader.IsProject(os.DirFS(path)) {
			folders = append(folders, path)
		}
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, c.Errorf(cli.Usage, "%s does not exist", c.Rel(root))
	case err != nil:
		return nil, err
	case len(folders) == 0:
		return nil, c.Errorf(cli.Problem, "%s matches no project: no folder there has agents/<name>/AGENT.md or workflows/<name>.yaml", pattern)
	}

	return folders, nil
}

// isSkipped reports whether patterns skip folders with a name, as ... of the go command does.
// Packages of other languages are skipped too.
func isSkipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{"testdata", "vendor", "node_modules"}, name)
}

// makePathsAbsolute makes the paths in diagnostics absolute, so that diagnostics of several
// projects can be listed together.
func (p *project) makePathsAbsolute(findings []*diag.Diagnostic) {
	name := func(f *source.File) {
		if f != nil && !filepath.IsAbs(f.Path) {
			f.Path = p.absolutePath(f.Path)
		}
	}
	for _, d := range findings {
		name(d.Span.File)
		for _, note := range d.Related {
			name(note.Span.File)
		}
		for _, fix := range d.Fixes {
			for _, edit := range fix.Edits {
				name(edit.Span.File)
			}
		}
	}
}
