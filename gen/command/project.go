package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// project is a folder to compile.
type project struct {
	// dir is absolute.
	dir string
	// agent is the agent or the workflow whose file was named instead of the folder; "" if the folder was.
	agent string
	// alone is the workflow file in dir that is a project of its own; "" for a project folder.
	alone string
}

// openProject finds the project that an argument means; "" is the working directory.
func openProject(c *cli.Call, name string) (_ *project, code int, ok bool) {
	name = cmp.Or(name, ".")
	p, err := findProject(c, name)
	var none *loader.NotProjectError
	switch {
	case errors.As(err, &none):
		inside := projectAround(none.Path)
		none.Path = c.Rel(none.Path)
		c.Errorf(cli.Problem, "%v", none)
		switch {
		case inside != "":
			fmt.Fprintf(c.Stderr, "it lies in the project %s\n", c.Rel(inside))
		case filepath.Base(none.Path) == "AGENT.md" || exists(filepath.Join(c.Path(none.Path), "AGENT.md")):
			fmt.Fprintln(c.Stderr, "an agent has a folder of its own: move AGENT.md to agents/NAME/AGENT.md")
		default:
			fmt.Fprintln(c.Stderr, "agentc init NAME writes a new project")
		}
		return nil, cli.Problem, false
	case errors.Is(err, fs.ErrNotExist):
		return nil, c.Errorf(cli.Usage, "%s does not exist", name), false
	case err != nil:
		return nil, c.Errorf(cli.Failure, "%v", err), false
	}

	return p, cli.Done, true
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

// projectAround returns the project that a folder lies in; "" if there is none.
func projectAround(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if found, err := loader.Find(parent); err == nil {
			return found.Dir
		}
	}

	return ""
}

// label returns the function that turns a path inside the project into one relative to the working directory.
func (p *project) label(c *cli.Call) func(string) string {
	return func(name string) string {
		if filepath.IsAbs(name) {
			return c.Rel(name)
		}
		return c.Rel(filepath.Join(p.dir, filepath.FromSlash(name)))
	}
}

// report writes findings for a person.
func (p *project) report(c *cli.Call, findings []*diag.Diagnostic) {
	// An error of stderr cannot be told to anybody.
	_ = diag.Text(c.Stderr, findings, diag.TextOptions{Path: p.label(c), Colour: c.Color(c.Stderr)})
}

// compile compiles the project and shows the findings. ok is false if there is nothing to go on with; code is then the
// exit code.
func (p *project) compile(c *cli.Call) (result *gen.Result, code int, ok bool) {
	result, err := gen.Compile(context.Background(), p.options())

	return p.compiled(c, result, err)
}

// compileQuietly is compile for a run that was started before: its warnings were shown then.
func (p *project) compileQuietly(c *cli.Call) (result *gen.Result, code int, ok bool) {
	result, err := gen.Compile(context.Background(), p.options())
	if err == nil && !result.HasErrors() {
		return result, cli.Done, true
	}

	return p.compiled(c, result, err)
}

// check compiles the project as far as it takes to know its mistakes.
func (p *project) check() (*gen.Result, error) {
	o := p.options()
	o.CheckOnly = true

	return gen.Compile(context.Background(), o)
}

// compiled shows what a compilation found.
func (p *project) compiled(c *cli.Call, result *gen.Result, err error) (*gen.Result, int, bool) {
	if err != nil {
		return nil, c.Errorf(cli.Failure, "%v", err), false
	}
	p.report(c, result.Diagnostics)
	if result.HasErrors() {
		fmt.Fprintln(c.Stderr, count(result.Diagnostics))
		return nil, cli.Problem, false
	}

	return result, cli.Done, true
}

// options say how the project is compiled.
func (p *project) options() gen.Options {
	return gen.Options{FS: os.DirFS(p.dir), Alone: p.alone, Graph: graph.Picture}
}

// count says how many findings of each kind there are.
func count(findings []*diag.Diagnostic) string {
	errors, warnings := 0, 0
	for _, d := range findings {
		if d.Severity == diag.Error {
			errors++
		} else {
			warnings++
		}
	}
	switch {
	case errors+warnings == 0:
		return "no problems"
	case warnings == 0:
		return plural(errors, "error")
	case errors == 0:
		return plural(warnings, "warning")
	}

	return plural(errors, "error") + ", " + plural(warnings, "warning")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}

	return fmt.Sprintf("%d %ss", n, word)
}
