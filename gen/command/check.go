package command

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var checkCommand = &cli.Command{
	Name: "check", Args: "[DIR]", Max: 1,
	Summary: "report the problems of a project",
	Example: "agentc check ./examples/support\nagentc check --format sarif > agentc.sarif   # in CI\nagentc check --fix",
	Flags: append([]cli.Flag{
		{Name: "strict", Help: "exit with 1 for warnings too"},
		{Name: "fix", Help: "apply the unambiguous fixes"},
		{Name: "stats", Help: "print sizes, and the most model calls of a run"},
	}, formatFlags("text (the default), json, sarif (2.1.0), or github: annotations of GitHub Actions",
		formatText, formatJSON, formatSARIF, formatGitHub)...),
	Run: withFormat(check),
}

func check(c *cli.Call, format string) error {
	if c.On("stats") && (format == formatSARIF || format == formatGitHub) {
		return c.Usagef("--stats goes with --format text and json, and not with %s", format)
	}
	p, err := openProject(c, c.Arg(0))
	if err != nil {
		if format == formatJSON {
			_ = diag.JSON(c.Stdout, nil, nil) // what reads it gets JSON; the exit code and stderr say why it is empty
		}
		return err
	}
	find, show := p.check, p.show
	if c.On("fix") {
		find = func() (*gen.Result, error) { return p.applyFixes(c) }
	}
	if c.On("stats") {
		show = p.showStats
	}
	result, err := find()
	if err != nil {
		return err
	}
	if err := show(c, result, format); err != nil {
		return err
	}
	if result.HasErrors() || c.On("strict") && len(result.Diagnostics) > 0 {
		return c.Exit(cli.Problem)
	}

	return nil
}

// show writes findings on stdout in the format that was asked for. Where people read it, stderr has their number.
func (p *project) show(c *cli.Call, result *gen.Result, format string) error {
	findings := result.Diagnostics
	switch format {
	case formatJSON:
		return diag.JSON(c.Stdout, findings, p.label(c))
	case formatSARIF:
		return diag.SARIF(c.Stdout, findings, diag.SARIFOptions{Path: p.label(c), Version: c.Program.Version(), Help: help})
	case formatGitHub:
		fmt.Fprintln(c.Notes(), count(findings))
		return diag.GitHub(c.Stdout, findings, p.label(c))
	}
	err := diag.Text(c.Stdout, findings, textOptions(c, c.Stdout, p.label(c)))
	fmt.Fprintln(c.Notes(), count(findings))

	return err
}

// help is what a check's page says.
func help(check *diag.Check) diag.Help {
	page, _ := explain.Page(check.Name)
	prose := explain.Prose(page)
	h := diag.Help{Text: strings.Join(prose, "\n\n"), Markdown: page}
	if len(prose) > 0 {
		h.Reason = prose[0]
	}

	return h
}
