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
	// agent is the agent or the workflow whose file was named instead of the folder, else "".
	agent string
	// standalone is the workflow file in dir that is a project of its own; "" for a project folder.
	standalone string
}

// openProject finds the project of an argument; "" is the working directory. Its errors are for the
// user.
func openProject(c *cli.Call, name string) (*project, error) {
	name = cmp.Or(name, ".")
	p, err := findProject(c, name)
	var none *loader.NotProjectError
	if errors.As(err, &none) {
		if _, err := os.ReadDir(none.Path); errors.Is(err, fs.ErrPermission) {
			return nil, c.Errorf(cli.Problem, "%s cannot be read: permission denied", c.Rel(none.Path))
		}
		hint := "agentc init NAME writes a new project"
		if around := enclosingProject(none.Path); around != "" {
			hint = "it is in the project " + c.Rel(around)
		} else if filepath.Base(none.Path) == "AGENT.md" || fileExists(filepath.Join(none.Path, "AGENT.md")) {
			hint = "an agent has a folder of its own: move AGENT.md to agents/NAME/AGENT.md"
		}
		if below := nearbyProjects(none.Path); len(below) > 0 {
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

// findProject finds the project of a folder or file.
func findProject(c *cli.Call, name string) (*project, error) {
	place, err := loader.FindProject(c.Path(name))
	if err != nil {
		return nil, err
	}
	p := &project{dir: place.Dir}
	switch {
	case place.Alone:
		p.standalone = place.File
	case path.Base(place.File) == "AGENT.md":
		p.agent = path.Base(path.Dir(place.File))
	case path.Ext(place.File) == ".yaml" && place.File != "agentc.yaml":
		p.agent = statemachine.NameOf(statemachine.NameWords(place.File))
	}

	return p, nil
}

// nearbyProjects returns at most five projects up to three folders below a folder, sorted.
func nearbyProjects(dir string) (projects []string) {
	folders := []string{dir}
	for range 3 {
		var below []string
		for _, folder := range folders {
			entries, _ := os.ReadDir(folder) // an unreadable folder has no usable projects
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

// enclosingProject returns the project that contains a folder, or "".
func enclosingProject(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if found, err := loader.FindProject(parent); err == nil {
			return found.Dir
		}
	}

	return ""
}

// absolutePath returns the file of a slash-separated path in the project.
func (p *project) absolutePath(name string) string {
	return filepath.Join(p.dir, filepath.FromSlash(name))
}

// label returns a function that makes paths in the project relative to the working directory.
func (p *project) label(c *cli.Call) func(string) string {
	return func(name string) string {
		if filepath.IsAbs(name) {
			return c.Rel(name)
		}
		return c.Rel(p.absolutePath(name))
	}
}

// textOptions returns the options for printing diagnostics on w.
func textOptions(c *cli.Call, w io.Writer, path func(string) string) diag.TextOptions {
	o := diag.TextOptions{Path: path, Colour: c.Color(w), Fit: cli.FitTo}
	if c.IsTerminal(w) {
		o.Columns, _ = c.Size(w)
	}

	return o
}

// reportDiagnostics prints diagnostics on stderr.
func (p *project) reportDiagnostics(c *cli.Call, findings []*diag.Diagnostic) {
	// An error of stderr cannot be reported anywhere.
	_ = diag.Text(c.Stderr, findings, textOptions(c, c.Stderr, p.label(c)))
}

// compile compiles the project and prints the diagnostics. The error is c.Exit(cli.Problem) if the
// project has errors.
func (p *project) compile(c *cli.Call) (*gen.Result, error) {
	result, err := gen.Compile(context.Background(), p.compileOptions())

	return p.reportCompiled(c, result, err)
}

// checkOnly compiles the project only as far as needed to find its mistakes.
func (p *project) checkOnly() (*gen.Result, error) {
	o := p.compileOptions()
	o.CheckOnly = true

	return gen.Compile(context.Background(), o)
}

// openForReport opens and checks the project of the first argument. An exceeded limit of
// agentc.yaml does not prevent a report, which may explain it: then exceeded is the error to return
// after the report.
func openForReport(c *cli.Call) (p *project, program *ir.Program, exceeded, err error) {
	p, err = openProject(c, c.Arg(0))
	if err != nil {
		return nil, nil, nil, err
	}
	result, err := p.checkOnly()
	if err != nil || hasErrorsBesideLimits(result.Diagnostics) {
		_, err = p.reportCompiled(c, result, err)
		return nil, nil, nil, err
	}
	p.reportDiagnostics(c, result.Diagnostics)
	if result.HasErrors() {
		exceeded = c.Exit(cli.Problem)
	}

	return p, result.Program, exceeded, nil
}

// hasErrorsBesideLimits reports whether there are errors other than exceeded limits of agentc.yaml.
func hasErrorsBesideLimits(findings []*diag.Diagnostic) bool {
	return slices.ContainsFunc(findings, func(d *diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Check != diag.MaxCost && d.Check != diag.DeniedFlow
	})
}

// reportCompiled prints the diagnostics of a compilation, and returns its result if there are no
// errors.
func (p *project) reportCompiled(c *cli.Call, result *gen.Result, err error) (*gen.Result, error) {
	if err != nil {
		return nil, err
	}
	p.reportDiagnostics(c, result.Diagnostics)
	if result.HasErrors() {
		fmt.Fprintln(c.Stderr, countDiagnostics(result.Diagnostics))
		return nil, c.Exit(cli.Problem)
	}

	return result, nil
}

// compileOptions returns the options for compiling the project.
func (p *project) compileOptions() gen.Options {
	return gen.Options{FS: os.DirFS(p.dir), Alone: p.standalone, Graph: graph.DrawPicture}
}

// countDiagnostics returns the number of errors and warnings in words.
func countDiagnostics(findings []*diag.Diagnostic) string {
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
