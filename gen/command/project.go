package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// project is a folder to compile.
type project struct {
	// dir is absolute.
	dir string
	// agent is the agent or the workflow whose file was named instead of the folder; "" if the
	// folder was.
	agent string
	// alone is the workflow file in dir that is a project of its own; "" for a project folder.
	alone string
}

// openProject finds the project that an argument means; "" is the working directory.
func openProject(c *cli.Call, name string) (*project, error) {
	name = cmp.Or(name, ".")
	p, err := findProject(c, name)
	var none *loader.NotProjectError
	if errors.As(err, &none) {
		if _, err := os.ReadDir(none.Path); errors.Is(err, fs.ErrPermission) {
			return nil, c.Errorf(cli.Problem, "%s cannot be read: permission denied", c.Rel(none.Path))
		}
		hint := "agentc init NAME writes a new project"
		if around := projectAround(none.Path); around != "" {
			hint = "it is in the project " + c.Rel(around)
		} else if filepath.Base(none.Path) == "AGENT.md" || exists(filepath.Join(none.Path, "AGENT.md")) {
			hint = "an agent has a folder of its own: move AGENT.md to agents/NAME/AGENT.md"
		}
		if below := projectsNear(none.Path); len(below) > 0 {
			hint = "below it are the projects " + strings.Join(ir.Map(below, c.Rel), ", ")
		}
		none.Path = c.Rel(none.Path)
		return nil, c.Errorf(cli.Problem, "%v\n%s", none, hint)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, c.Errorf(cli.Usage, "%s does not exist", name)
	}

	return p, err
}

// findProject finds the project in a folder or file.
func findProject(c *cli.Call, name string) (*project, error) {
	place, err := loader.Find(c.Path(name))
	if err != nil {
		return nil, err
	}
	p := &project{dir: place.Dir}
	switch {
	case place.Alone:
		p.alone = place.File
	case path.Base(place.File) == "AGENT.md":
		p.agent = path.Base(path.Dir(place.File))
	case path.Ext(place.File) == ".yaml" && place.File != "agentc.yaml":
		p.agent = statemachine.NameOf(statemachine.Words(place.File))
	}

	return p, nil
}

// projectsNear returns the projects up to three folders below one, sorted, and no more than five.
func projectsNear(dir string) (projects []string) {
	folders := []string{dir}
	for range 3 {
		var below []string
		for _, folder := range folders {
			entries, _ := os.ReadDir(folder) // what cannot be read has none that can be used
			for _, entry := range entries {
				if entry.IsDir() && !isSkipped(entry.Name()) {
					below = append(below, filepath.Join(folder, entry.Name()))
				}
			}
		}
		folders = below
		for _, folder := range folders {
			if loader.IsProject(os.DirFS(folder)) {
				projects = append(projects, folder)
			}
		}
	}
	slices.Sort(projects)

	return projects[:min(len(projects), 5)]
}

// projectAround returns the project that a folder is in; "" if there is none.
func projectAround(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if found, err := loader.Find(parent); err == nil {
			return found.Dir
		}
	}

	return ""
}

// path returns the file of a slash-separated path inside the project.
func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// label returns the function that turns a path inside the project into one relative to the working
// directory.
func (p *project) label(c *cli.Call) func(string) string {
	return func(name string) string {
		if filepath.IsAbs(name) {
			return c.Rel(name)
		}
		return c.Rel(p.path(name))
	}
}

// textOptions are how diagnostics are printed on w.
func textOptions(c *cli.Call, w io.Writer, path func(string) string) diag.TextOptions {
	o := diag.TextOptions{Path: path, Colour: c.Color(w), Fit: cli.FitTo}
	if c.IsTerminal(w) {
		o.Columns, _ = c.Size(w)
	}

	return o
}

// report writes findings for a person.
func (p *project) report(c *cli.Call, findings []*diag.Diagnostic) {
	// An error of stderr cannot be reported anywhere.
	_ = diag.Text(c.Stderr, findings, textOptions(c, c.Stderr, p.label(c)))
}

// compile compiles the project and shows the diagnostics. The error is c.Exit(cli.Problem) if there
// is nothing to continue.
func (p *project) compile(c *cli.Call) (*gen.Result, error) {
	result, err := gen.Compile(context.Background(), p.options())

	return p.compiled(c, result, err)
}

// check compiles the project as far as it takes to know its mistakes.
func (p *project) check() (*gen.Result, error) {
	o := p.options()
	o.CheckOnly = true

	return gen.Compile(context.Background(), o)
}

// openForReport opens the project that the first argument names, and compiles it as far as check
// does. A limit of agentc.yaml that is not kept does not stop a report, which may explain it:
// exceeded is [errReported] then, for the caller to return after the report.
func openForReport(c *cli.Call) (p *project, program *ir.Program, exceeded, err error) {
	p, err = openProject(c, c.Arg(0))
	if err != nil {
		return nil, nil, nil, err
	}
	result, err := p.check()
	if err != nil || isFaulty(result.Diagnostics) {
		_, err = p.compiled(c, result, err)
		return nil, nil, nil, err
	}
	p.report(c, result.Diagnostics)
	if result.HasErrors() {
		exceeded = c.Exit(cli.Problem)
	}

	return p, result.Program, exceeded, nil
}

// isFaulty reports whether a program has errors, beside limits of agentc.yaml that it does not
// keep.
func isFaulty(findings []*diag.Diagnostic) bool {
	return slices.ContainsFunc(findings, func(d *diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Check != diag.MaxCost && d.Check != diag.DeniedFlow
	})
}

// compiled shows what a compilation found.
func (p *project) compiled(c *cli.Call, result *gen.Result, err error) (*gen.Result, error) {
	if err != nil {
		return nil, err
	}
	p.report(c, result.Diagnostics)
	if result.HasErrors() {
		fmt.Fprintln(c.Stderr, count(result.Diagnostics))
		return nil, c.Exit(cli.Problem)
	}

	return result, nil
}

// options say how the project is compiled.
func (p *project) options() gen.Options {
	return gen.Options{FS: os.DirFS(p.dir), Alone: p.alone, Graph: graph.Picture}
}

// count says how many findings of each kind there are.
func count(findings []*diag.Diagnostic) string {
	errors := len(ir.Where(findings, (*diag.Diagnostic).IsError))
	warnings := len(findings) - errors
	switch {
	case len(findings) == 0:
		return "no problems"
	case warnings == 0:
		return words.Count(errors, "error")
	case errors == 0:
		return words.Count(warnings, "warning")
	}

	return words.Count(errors, "error") + ", " + words.Count(warnings, "warning")
}
