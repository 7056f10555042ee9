package main

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var checkCommand = &cli.Command{
	Name: "check", Args: "[DIR]", Max: 1,
	Summary: "report the mistakes of a project; write nothing",
	Help: `Prints every mistake of the project, sorted by file and place, on stdout; exit code 1 if one is an error. DIR is a
project folder, or one file of it; default: the working directory. agentc explain NAME tells about the name in brackets.`,
	Example: "agentc check ./examples/support\nagentc check --format json > findings.json",
	Flags: []cli.Flag{
		{Name: "format", Value: "NAME", Help: "text or json"},
		{Name: "strict", Help: "warnings fail too"},
		{Name: "fix", Help: "apply the mends that are certain", Missing: "agentc check shows each mend beside the mistake, and --format json has it as an edit"},
		{Name: "stats", Help: "print the size of each machine", Missing: "agentc graph shows the machines"},
	},
	Run: check,
}

func check(c *cli.Call) int {
	format := c.Flag("format")
	switch format {
	case "", "text", "json":
	case "sarif", "github":
		return c.Usagef("--format %s is not in this version: there are text and json", format)
	default:
		return c.Usagef("--format is text or json, not %q%s", format, didYouMean(format, []string{"text", "json"}))
	}
	p, code, ok := openProject(c, arg(c, 0))
	if !ok {
		return code
	}

	result, err := p.check()
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	if format == "json" {
		err = diag.JSON(c.Stdout, result.Diagnostics, p.label(c))
	} else {
		err = diag.Text(c.Stdout, result.Diagnostics, diag.TextOptions{Path: p.label(c), Colour: c.Color(c.Stdout)})
		fmt.Fprintln(c.Stderr, count(result.Diagnostics))
	}
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	if result.HasErrors() || c.On("strict") && len(result.Diagnostics) > 0 {
		return cli.Problem
	}

	return cli.Done
}
