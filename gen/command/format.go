package command

import (
	"cmp"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The formats of what commands print.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
	formatSARIF    = "sarif"
	formatGitHub   = "github"
	formatSVG      = "svg"
)

// formatFlags are the flags by which a command is asked for a format of what it prints. The first choice is the default.
func formatFlags(help string, choices ...string) []cli.Flag {
	return []cli.Flag{
		{Name: "format", Value: "NAME", Choices: choices, Help: help},
		{Name: "json", Help: "the same as --format json"},
	}
}

// formatOf returns the format that a command with [formatFlags] is asked for.
func formatOf(c *cli.Call) (string, error) {
	format := c.Flag("format")
	if !c.On("json") {
		return cmp.Or(format, formatText), nil
	}
	if format != "" && format != formatJSON {
		return "", usagef("--json means --format json, and --format is %s: give one of them", format)
	}

	return formatJSON, nil
}
