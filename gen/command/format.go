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

// formatFlags are the flags by which a command is asked for a format of what it prints. The first
// choice is the default.
func formatFlags(help string, choices ...string) []cli.Flag {
	return []cli.Flag{
		{Name: "format", Value: "NAME", Choices: choices, Help: help},
		{Name: "json", Help: "the same as --format json"},
	}
}

// withFormat makes a function that is given the format the Run of a command with [formatFlags].
func withFormat(run func(c *cli.Call, format string) error) func(*cli.Call) error {
	return func(c *cli.Call) error {
		format := c.Flag("format")
		switch {
		case !c.On("json"):
			return run(c, cmp.Or(format, formatText))
		case format != "" && format != formatJSON:
			return c.Usagef("--json means --format json, and --format is %s: give one of them", format)
		}

		return run(c, formatJSON)
	}
}
