package command

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var generateCommand = &cli.Command{
	Name: "generate", Args: "[DIR...]", Max: manyArguments,
	Summary: "compile a project to Go; only files that changed are written",
	Example: "agentc generate ./examples/support\nagentc generate --check ./examples/support   # in CI: is it up to date?\n" +
		"agentc generate ./...   # every project below the working directory",
	Flags: []cli.Flag{
		{Name: "check", Help: "write nothing; print a unified diff and exit 1 if anything would change"},
		{Name: "stdout", Help: "write nothing; print the files as a txtar archive"},
	},
	Run: generateProjects,
}

func generateProjects(c *cli.Call) error {
	if c.On("check") && c.On("stdout") {
		return c.Usagef("--check and --stdout exclude each other")
	}
	projects, err := openProjects(c)
	if err != nil {
		return err
	}
	code := cli.Done
	for _, p := range projects {
		label := ""
		if len(projects) > 1 {
			label = c.Rel(p.dir) + ": "
		}
		err := p.generateOutput(c, label)
		if err != nil && (len(projects) == 1 || c.On("stdout")) {
			return err
		}
		if err != nil {
			code = max(code, c.Report(err))
		}
	}

	return c.Exit(code)
}

// generateOutput updates or prints the Go of a project. Messages about the whole project begin with
// label.
func (p *project) generateOutput(c *cli.Call, label string) error {
	result, err := p.compileRemembered(c)
	switch {
	case err != nil:
		return err
	case c.On("stdout"):
		return p.printOutput(c, result)
	case c.On("check"):
		return p.reportDrift(c, result, label)
	}
	summary, err := p.writeOutput(c, result)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Notes(), "%s%s\n", label, summary)
	for _, message := range p.missingPartMessages(context.Background(), c, result.Files) {
		fmt.Fprintln(c.Stderr, message)
	}

	return nil
}

// folder is the project folder that generate writes to.
type folder interface {
	output.FS
	Close() error
}

// openOutput opens the project folder; tests replace it by a disk that fails.
var openOutput = func(dir string) (folder, error) { return output.Open(dir) }

// openPlan opens the project folder and plans the changes of its files.
func (p *project) openPlan(c *cli.Call, result *gen.Result) (folder, *output.Plan, error) {
	disk, err := openOutput(p.dir)
	if err != nil {
		return nil, nil, err
	}
	files := ir.Map(result.Files, func(f emit.File) output.File { return output.File{Name: f.Name, Content: f.Content} })
	plan, err := output.Compare(disk, result.Program.Output, result.Program.Package, files)
	if err == nil {
		err = p.refuseOtherSources(c, disk, plan)
	}
	if err != nil {
		return nil, nil, errors.Join(p.reportConflicts(c, err), disk.Close())
	}

	return disk, plan, nil
}

// reportConflicts prints the files that must not be changed, followed by the lines of advice, if
// err is an [output.ConflictError]. It returns any other error unchanged.
func (p *project) reportConflicts(c *cli.Call, err error, advice ...string) error {
	var conflict *output.ConflictError
	if !errors.As(err, &conflict) {
		return err
	}
	for _, f := range conflict.Conflicts {
		c.Sayf("%s %s", p.label(c)(f.Path), f.Problem)
	}
	for _, line := range advice {
		fmt.Fprintln(c.Stderr, line)
	}

	return c.Exit(cli.Problem)
}

// writeOutput updates the output folder. It reports a user's edit that is overwritten.
func (p *project) writeOutput(c *cli.Call, result *gen.Result) (summary output.Summary, err error) {
	disk, plan, err := p.openPlan(c, result)
	if err != nil {
		return summary, err
	}
	defer disk.Close()

	write := output.WriteSink(disk)
	summary, err = plan.Apply(func(change output.Change) error {
		err := write(change)
		if err == nil && !change.IsSame() && emit.IsEdited(change.Old) {
			printMessage(c, "%s was edited after it was generated: the edit is overwritten", p.label(c)(change.Path))
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("%w (%s so far)", err, summary)
	}

	return summary, err
}

// printOutput prints the generated files, whatever is in the output folder.
func (p *project) printOutput(c *cli.Call, result *gen.Result) error {
	sink := output.PrintSink(c.Stdout, p.label(c))
	for _, f := range result.Files {
		if err := sink(output.Change{Path: path.Join(result.Program.Output, f.Name), New: f.Content}); err != nil {
			return err
		}
	}

	return nil
}

// reportDrift compares the output folder with the generated files. It prints a diff on stdout and
// diagnostics on stderr.
func (p *project) reportDrift(c *cli.Call, result *gen.Result, label string) error {
	disk, plan, err := p.openPlan(c, result)
	if err != nil {
		return err
	}
	defer disk.Close()

	var list diag.List
	diff, find := output.DiffSink(c.Stdout, p.label(c)), output.FindingsSink(&list, emit.IsEdited)
	summary, err := plan.Apply(func(change output.Change) error {
		return errors.Join(diff(change), find(change))
	})
	if err != nil {
		return err
	}
	if !summary.HasChanges() {
		fmt.Fprintf(c.Notes(), "%sup to date: %s\n", label, words.Count(summary.Unchanged, "file"))
		return nil
	}
	findings := list.Sorted()
	p.reportDiagnostics(c, findings)
	fmt.Fprintln(c.Stderr, countDiagnostics(findings))

	return c.Exit(cli.Problem)
}
