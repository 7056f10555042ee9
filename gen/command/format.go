package command

import (
	"cmp"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The output formats of commands.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
	formatSARIF    = "sarif"
	formatGitHub   = "github"
	formatSVG      = "svg"
)

// formatFlags returns the flags for the output format of a command. The first choice is the
// default.
func formatFlags(help string, choices ...string) []cli.Flag {
	return []cli.Flag{
		{Name: "format", Value: "NAME", Choices: choices, Help: help},
		{Name: "json", Help: "the same as --format json"},
	}
}

// withFormat adapts a function that takes a format to the Run of a command with [formatFlags].
func withFormat(run func(c *cli.Call, format string) error) func(*cli.Call) error {
	return func(c *cli.Call) error {
		format := c.Flag("format")
		switch {
		case !c.On("json"):
			return run(c, cmp.Or(format, formatText))
		case format != "" && format != formatJSON:
			return c.Usagef("--json and --format %s exclude each other", format)
		}

		return run(c, formatJSON)
	}
}
