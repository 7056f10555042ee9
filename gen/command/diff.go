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

// version is one of the two versions that are compared.
type version struct {
	// name is what the user calls it, and folder where its files are.
	name, folder string
	// remove removes the files.
	remove func()
}

func showDiff(c *cli.Call, format string) error {
	if len(c.Args) == 0 {
		return c.Usagef("name what to compare with: agentc diff main compares the working directory with a revision")
	}
	options, err := costOptions(c)
	if err != nil {
		return err
	}
	var programs []*ir.Program
	names := []string{c.Arg(0), cmp.Or(c.Arg(1), ".")}
	here := &project{dir: c.Dir}
	hasFaults, exceeds := false, false // exceeds: the newer version does not keep a limit of its config
	for i, name := range names {
		v, err := openVersion(c, name)
		if err != nil {
			return err
		}
		defer v.remove()
		p, err := v.project(c)
		if err != nil {
			return err
		}
		if i == 1 && v.folder == c.Path(name) {
			here = p
		}
		result, err := p.check()
		if err != nil {
			return err
		}
		if result.HasErrors() {
			v.report(c, p, result.Diagnostics)
			hasFaults = hasFaults || isFaulty(result.Diagnostics)
			exceeds = i == 1
		}
		programs = append(programs, result.Program)
	}
	if hasFaults {
		return c.Exit(cli.Problem)
	}
	report := diff.Of(programs[0], programs[1], options)
	report.Old, report.New = names[0], names[1]
	store, remove, err := here.journals(c, journal.Query{Program: emit.ProgramName(programs[0])})
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
	if exceeds || len(report.Worse) > 0 || len(report.Problems) > 0 {
		return c.Exit(cli.Problem)
	}

	return nil
}

func writeDiff(c *cli.Call, report *diff.Report, format string) error {
	switch format {
	case formatMarkdown:
		_, err := io.WriteString(c.Stdout, report.Markdown())
		return err
	case formatSVG:
		_, err := io.WriteString(c.Stdout, page.SVG(cmp.Or(report.Picture, "flowchart TD\n")))
		return err
	}

	return printAs(c, format, report, (*diff.Report).Text)
}

// addRuns judges the runs of a store, which may be nil. Runs that cannot be read are named.
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

// openVersion finds a version: a folder, or a revision whose files are written into a temporary
// folder.
func openVersion(c *cli.Call, name string) (*version, error) {
	if path := c.Path(name); exists(path) {
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
	if err := r.write(dir); err != nil {
		v.remove()
		return nil, err
	}

	return v, nil
}

// project finds the project of a version. Errors name the version, and not the folder in which its
// files are.
func (v *version) project(c *cli.Call) (*project, error) {
	if v.folder == c.Path(v.name) {
		return openProject(c, v.name)
	}
	p, err := findProject(c, v.folder)
	if err != nil || p.dir != filepath.Clean(v.folder) {
		return nil, c.Errorf(cli.Problem, "%s is not a project: it has neither agents/<name>/AGENT.md nor workflows/<name>.yaml", v.name)
	}

	return p, nil
}

// report prints the errors of a version, and how many there are.
func (v *version) report(c *cli.Call, p *project, findings []*diag.Diagnostic) {
	label := p.label(c)
	if v.folder != c.Path(v.name) {
		label = func(name string) string { return v.name + ":" + name }
	}
	_ = diag.Text(c.Stderr, ir.Where(findings, (*diag.Diagnostic).IsError), textOptions(c, c.Stderr, label)) // no other place is left to report to
	say(c, "%s in %s", count(ir.Where(findings, (*diag.Diagnostic).IsError)), v.name)
}
