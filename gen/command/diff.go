package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/diff"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var diffCommand = &cli.Command{
	Name: "diff", Args: "OLD [NEW]", Max: 2,
	Summary: "compare two versions, and find runs that would be stuck",
	Example: "agentc diff main\nagentc diff v1.0:agents/desk ./agents/desk --format markdown\nagentc diff HEAD~1 HEAD --format svg > changes.svg",
	Flags: slices.Concat([]cli.Flag{
		{Name: "store", Value: "STORE|none", Help: "the runs to judge; default: those of the project"}, envFileFlag,
	}, formatFlags("text (the default), json, markdown for a comment, or svg: the picture", formatText, formatJSON, formatMarkdown, formatSVG), costFlags),
	Run: withFormat(showDiff),
}

// version is one of the two versions to compare.
type version struct {
	// name is the argument of the user, and folder is the folder of the files.
	name, folder string
	// remove removes the files.
	remove func()
}

func showDiff(c *cli.Call, format string) error {
	if len(c.Args) == 0 {
		return c.Usagef("name what to compare with: agentc diff main compares the working directory with a revision")
	}
	options, err := parseCostOptions(c)
	if err != nil {
		return err
	}
	before, err := checkVersion(c, c.Arg(0))
	if err != nil {
		return err
	}
	after, err := checkVersion(c, cmp.Or(c.Arg(1), "."))
	if err != nil {
		return err
	}
	if before.isFaulty || after.isFaulty {
		return c.Exit(cli.Problem)
	}
	report := diff.CompareVersions(before.program, after.program, options)
	report.Old, report.New = before.name, after.name
	here := &project{dir: c.Dir}
	if after.isInPlace {
		here = after.project
	}
	store, remove, err := here.openStore(c, journal.Query{Program: emit.ProgramName(before.program)})
	defer remove()
	if err != nil {
		return err
	}
	if err := addRuns(report, store); err != nil {
		return err
	}
	if err := writeDiff(c, report, format); err != nil {
		return err
	}
	if after.exceedsLimits || len(report.Worse) > 0 || len(report.Problems) > 0 {
		return c.Exit(cli.Problem)
	}

	return nil
}

// checkedVersion is a version whose files were read, and may be removed by now.
type checkedVersion struct {
	name    string
	project *project
	program *ir.Program
	// isInPlace is set for a folder of the user's, not a git revision.
	isInPlace bool
	// isFaulty is set if the version does not compile. exceedsLimits is set if it has any error,
	// such as a limit in agentc.yaml that it exceeds.
	isFaulty, exceedsLimits bool
}

// checkVersion opens a version, checks it, and prints its errors.
func checkVersion(c *cli.Call, name string) (checkedVersion, error) {
	v, err := openVersion(c, name)
	if err != nil {
		return checkedVersion{}, err
	}
	defer v.remove()
	p, err := v.findProject(c)
	if err != nil {
		return checkedVersion{}, err
	}
	result, err := p.checkOnly()
	if err != nil {
		return checkedVersion{}, err
	}
	checked := checkedVersion{name: name, project: p, program: result.Program, isInPlace: v.folder == c.Path(name)}
	if result.HasErrors() {
		v.printErrors(c, p, result.Diagnostics)
		checked.isFaulty = hasErrorsBesideLimits(result.Diagnostics)
		checked.exceedsLimits = true
	}

	return checked, nil
}

func writeDiff(c *cli.Call, report *diff.Report, format string) error {
	switch format {
	case formatMarkdown:
		_, err := io.WriteString(c.Stdout, report.FormatMarkdown())
		return err
	case formatSVG:
		_, err := io.WriteString(c.Stdout, page.SVG(cmp.Or(report.Picture, "flowchart TD\n")))
		return err
	}

	return printAs(c, format, report, (*diff.Report).FormatText)
}

// addRuns adds the runs of a store, which may be nil. A run that cannot be read becomes a problem
// of the report.
func addRuns(report *diff.Report, store journal.Store) error {
	if store == nil {
		return nil
	}
	runs, err := store.List(context.Background(), journal.Query{})
	if err != nil {
		return err
	}
	for _, run := range runs {
		read, err := journal.Read(context.Background(), store, run)
		if err != nil {
			report.Problems = append(report.Problems, fmt.Sprintf("%s: %v", run, err))
			continue
		}
		report.AddRun(run, read.Records)
	}

	return nil
}

// openVersion opens a version: a folder, or a git revision whose files are written into a temporary
// folder.
func openVersion(c *cli.Call, name string) (*version, error) {
	if path := c.Path(name); fileExists(path) {
		return &version{name, path, func() {}}, nil
	}
	r, err := findRevision(c, name)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "agentc-diff-*")
	if err != nil {
		return nil, err
	}
	v := &version{name: name, folder: filepath.Join(dir, "files", filepath.FromSlash(r.folder)), remove: func() { os.RemoveAll(dir) }}
	if err := r.checkOutFiles(dir); err != nil {
		v.remove()
		return nil, err
	}

	return v, nil
}

// findProject returns the project of a version. Errors contain the name of the version, not its
// folder.
func (v *version) findProject(c *cli.Call) (*project, error) {
	if v.folder == c.Path(v.name) {
		return openProject(c, v.name)
	}
	p, err := findProject(c, v.folder)
	if err != nil || p.dir != filepath.Clean(v.folder) {
		return nil, c.Errorf(cli.Problem, "%s is not a project: it has neither agents/<name>/AGENT.md nor workflows/<name>.yaml", v.name)
	}

	return p, nil
}

// printErrors prints the errors of a version, and their number.
func (v *version) printErrors(c *cli.Call, p *project, findings []*diag.Diagnostic) {
	label := p.label(c)
	if v.folder != c.Path(v.name) {
		label = func(name string) string { return v.name + ":" + name }
	}
	_ = diag.Text(c.Stderr, ir.Where(findings, (*diag.Diagnostic).IsError), textOptions(c, c.Stderr, label)) // stderr is the last resort
	printMessage(c, "%s in %s", countDiagnostics(ir.Where(findings, (*diag.Diagnostic).IsError)), v.name)
}
