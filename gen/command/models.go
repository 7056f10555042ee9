package command

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/preflight"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var modelsCommand = &cli.Command{
	Name: "models", Args: "[DIR]", Max: 1,
	Summary: "list the roles of a project, with their models and prices",
	Example: "agentc models ./examples/support\nAGENTC_MODEL_DEFAULT_NAME=ollama:qwen3 agentc models",
	Flags: append([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "start at this agent instead of the entry point"},
		envFileFlag,
	}, formatFlags("text (the default) or json", formatText, formatJSON)...),
	Run: withFormat(showModels),
}

func showModels(c *cli.Call, format string) error {
	p, err := openProject(c, c.Arg(0))
	if err != nil {
		return err
	}
	runs, err := p.compileRuns(c)
	if err != nil {
		return err
	}
	if runs.isFaulty {
		return c.Exit(cli.Problem)
	}
	models := preflight.Models(runs.program, runs.entries, runs.machine)
	err = printAs(c, format, models, preflight.ModelsText)
	if err == nil && slices.ContainsFunc(models, func(m preflight.Model) bool { return m.Name == "" }) {
		return c.Exit(cli.Problem)
	}

	return err
}
