package command

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var generateCommand = &cli.Command{
	Name: "generate", Args: "[DIR]", Max: 1,
	Summary: "compile a project; write only the files that changed",
	Help: `DIR is a project folder, or one file of it; default: the working directory. The Go goes into the folder that
"output" of agentc.yaml names (default: agents). Generated files that no source produces any more are removed. Nothing is
written unless the whole project is right.`,
	Example: "agentc generate ./examples/support\nagentc generate --check ./examples/support   # in CI: is what is committed up to date?",
	Flags: []cli.Flag{
		{Name: "check", Help: "write nothing; print a unified diff and exit 1 if anything would change"},
		{Name: "stdout", Help: "write nothing; print the files as a txtar archive"},
	},
	Run: generate,
}

func generate(c *cli.Call) int {
	if c.On("check") && c.On("stdout") {
		return c.Usagef("--check and --stdout exclude each other")
	}
	p, code, ok := openProject(c, arg(c, 0))
	if !ok {
		return code
	}
	result, code, ok := p.remembered(c)
	if !ok {
		return code
	}

	if c.On("stdout") {
		return p.print(c, result)
	}

	if c.On("check") {
		return p.drift(c, result)
	}
	summary, code, ok := p.write(c, result)
	if ok {
		fmt.Fprintln(c.Stderr, summary)
		p.printLacking(context.Background(), c, result)
	}

	return code
}

// folder is the project folder as generate writes into it.
type folder interface {
	output.FS
	Close() error
}

// openOutput opens the project folder; tests put a disk that fails here.
var openOutput = func(dir string) (folder, error) { return output.Open(dir) }

// compare plans what has to be written.
func (p *project) compare(c *cli.Call, disk output.FS, result *gen.Result) (*output.Plan, int, bool) {
	files := make([]output.File, len(result.Files))
	for i, f := range result.Files {
		files[i] = output.File{Name: f.Name, Content: f.Content}
	}
	plan, err := output.Compare(disk, result.Program.Output, result.Program.Package, files)
	var conflict *output.ConflictError
	switch {
	case errors.As(err, &conflict):
		return nil, p.refused(c, conflict), false
	case err != nil:
		return nil, c.Errorf(cli.Failure, "%v", err), false
	}
	code, ok := p.others(c, disk, plan)

	return plan, code, ok
}

// refused names the files that must not be touched and returns the exit code.
func (p *project) refused(c *cli.Call, conflict *output.ConflictError) int {
	label := p.label(c)
	for _, f := range conflict.Conflicts {
		c.Errorf(cli.Problem, "%s %s", label(f.Path), f.Problem)
	}

	return cli.Problem
}

// write brings the output folder up to date. An edit that is lost is told.
func (p *project) write(c *cli.Call, result *gen.Result) (summary output.Summary, code int, ok bool) {
	disk, err := openOutput(p.dir)
	if err != nil {
		return summary, c.Errorf(cli.Failure, "%v", err), false
	}
	defer disk.Close()
	plan, code, ok := p.compare(c, disk, result)
	if !ok {
		return summary, code, false
	}

	write := output.Write(disk)
	summary, err = plan.Apply(func(change output.Change) error {
		err := write(change)
		if err == nil && !change.Same() && emit.Edited(change.Old) {
			fmt.Fprintf(c.Stderr, "%s was edited after it was generated: the edit is gone\n", p.label(c)(change.Path))
		}
		return err
	})
	if err != nil {
		return summary, c.Errorf(cli.Failure, "%v (%s so far)", err, summary), false
	}

	return summary, cli.Done, true
}

// print shows what the sources give, whatever the output folder holds.
func (p *project) print(c *cli.Call, result *gen.Result) int {
	sink := output.Print(c.Stdout, p.label(c))
	for _, f := range result.Files {
		if err := sink(output.Change{Path: path.Join(result.Program.Output, f.Name), New: f.Content}); err != nil {
			return c.Errorf(cli.Failure, "%v", err)
		}
	}

	return cli.Done
}

// drift shows how the output folder differs from what the sources give: a diff on stdout, findings on stderr.
func (p *project) drift(c *cli.Call, result *gen.Result) int {
	disk, err := openOutput(p.dir)
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	defer disk.Close()
	plan, code, ok := p.compare(c, disk, result)
	if !ok {
		return code
	}

	var list diag.List
	diff, find := output.Diff(c.Stdout, p.label(c)), output.Findings(&list, emit.Edited)
	summary, err := plan.Apply(func(change output.Change) error {
		return errors.Join(diff(change), find(change))
	})
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	if !summary.Changed() {
		fmt.Fprintf(c.Stderr, "up to date: %s\n", plural(summary.Unchanged, "file"))
		return cli.Done
	}
	findings := list.Sorted()
	p.report(c, findings)
	fmt.Fprintln(c.Stderr, count(findings))

	return cli.Problem
}

// arg returns the argument with index i; "" if there are fewer.
func arg(c *cli.Call, i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}

	return ""
}
