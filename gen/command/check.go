package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var checkCommand = &cli.Command{
	Name: "check", Args: "[DIR...]", Max: manyArguments,
	Summary: "report the problems of a project",
	Example: "agentc check ./examples/support\nagentc check ./...   # every project below the working directory\nagentc check --format sarif > agentc.sarif   # in CI\nagentc check --fix",
	Flags: append([]cli.Flag{
		{Name: "strict", Help: "exit with 1 for warnings too"},
		{Name: "fix", Help: "apply the unambiguous fixes"},
		{Name: "stats", Help: "print sizes, and the most model calls of a run"},
	}, formatFlags("text (the default), json, sarif (2.1.0), or github: annotations of GitHub Actions",
		formatText, formatJSON, formatSARIF, formatGitHub)...),
	Run: withFormat(checkProjects),
}

func checkProjects(c *cli.Call, format string) error {
	if c.On("stats") && (format == formatSARIF || format == formatGitHub) {
		return c.Usagef("--stats goes with --format text and json, and not with %s", format)
	}
	projects, err := openProjects(c)
	if err != nil {
		if format == formatJSON {
			_ = diag.JSON(c.Stdout, nil, nil) // a reader of stdout gets valid JSON; the exit code and stderr explain the error
		}
		return err
	}
	if c.On("stats") && len(projects) > 1 {
		return c.Usagef("--stats is about one project, and these are %d", len(projects))
	}
	findings, err := checkEach(c, projects, format)
	if err != nil {
		return err
	}
	isError := slices.ContainsFunc(findings, (*diag.Diagnostic).IsError)
	if isError || c.On("strict") && len(findings) > 0 {
		return c.Exit(cli.Problem)
	}

	return nil
}

// checkEach checks projects, prints their diagnostics, and returns them.
func checkEach(c *cli.Call, projects []*project, format string) ([]*diag.Diagnostic, error) {
	var all []*diag.Diagnostic
	for _, p := range projects {
		check := p.checkOnly
		if c.On("fix") {
			check = func() (*gen.Result, error) { return p.applyFixes(c) }
		}
		result, err := check()
		if err != nil {
			return nil, err
		}
		if c.On("stats") {
			return result.Diagnostics, p.showStats(c, result, format)
		}
		p.makePathsAbsolute(result.Diagnostics)
		all = append(all, result.Diagnostics...)
	}
	err := writeDiagnostics(c, all, c.Rel, format)
	if format == formatText || format == formatGitHub {
		tally := countDiagnostics(all)
		if len(projects) > 1 {
			tally += fmt.Sprintf(" in %d projects", len(projects))
		}
		fmt.Fprintln(c.Notes(), tally)
	}

	return all, err
}

// writeDiagnostics writes diagnostics to stdout in a format. label returns the path to print for a
// file.
func writeDiagnostics(c *cli.Call, findings []*diag.Diagnostic, label func(string) string, format string) error {
	switch format {
	case formatJSON:
		return diag.JSON(c.Stdout, findings, label)
	case formatSARIF:
		return diag.SARIF(c.Stdout, findings, diag.SARIFOptions{Path: label, Version: c.Program.Version(), Help: checkHelp})
	case formatGitHub:
		return diag.GitHub(c.Stdout, findings, label)
	}

	return diag.Text(c.Stdout, findings, textOptions(c, c.Stdout, label))
}

// checkHelp returns the page of a check, for SARIF.
func checkHelp(check *diag.Check) diag.Help {
	page, _ := explain.Page(check.Name)
	prose := explain.Prose(page)
	h := diag.Help{Text: strings.Join(prose, "\n\n"), Markdown: page}
	if len(prose) > 0 {
		h.Reason = prose[0]
	}

	return h
}
