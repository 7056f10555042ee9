package command

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/size"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var costCommand = &cli.Command{
	Name: "cost", Args: "[DIR]", Max: 1,
	Summary: "print the most that a run can use: calls, tokens, dollars",
	Example: "agentc cost ./examples/support --model openai:gpt-4o-mini --max-tokens 1000\nagentc cost --format markdown >> $GITHUB_STEP_SUMMARY",
	Flags: slices.Concat([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "only this agent"},
		{Name: "store", Value: "STORE|none", Help: "runs whose median and 95th percentile are printed beside the bound; default: those of the project"}, envFileFlag,
	}, formatFlags("text (the default), json or markdown", formatText, formatJSON, formatMarkdown), costFlags),
	Run: withFormat(showCost),
}

// costFlags are the assumptions about a run.
var costFlags = []cli.Flag{
	{Name: "input", Value: "SIZE", Help: "the largest input of a run, and answer of a person; default: 4KB"},
	{Name: "attempts", Value: "N", Help: "how often a failing call is tried, and perhaps paid for, at most; default: 5"},
	{Name: "model", Value: "NAME", Help: "provider:model to assume where a script answers or no model is configured"},
	{Name: "max-tokens", Value: "N", Help: "the longest reply where the project sets no limit"},
}

func showCost(c *cli.Call, format string) error {
	options, err := parseCostOptions(c)
	if err != nil {
		return err
	}
	p, program, exceeded, err := openForReport(c)
	if err != nil {
		return err
	}
	if c.On("model") && !cost.AssumesModel(program) {
		return c.Usagef("--model %s would change nothing: every model is configured, and no script answers for one", options.Model)
	}
	name := emit.ProgramName(program)
	if chosen := p.chosenAgent(c); chosen != "" {
		program.Entry, err = findAgent(c, chosen, program)
		if err != nil {
			return err
		}
	}
	entries := cost.BoundEntries(program, options)
	if chosen := p.chosenAgent(c); chosen != "" {
		entries = slices.DeleteFunc(entries, func(e cost.Entry) bool { return e.Name != chosen })
	}
	store, remove, err := p.openStore(c, journal.Query{Program: name})
	defer remove()
	if err == nil {
		err = addExpected(c, store, name, entries)
	}
	if err != nil {
		return err
	}
	text := cost.FormatText
	if format == formatMarkdown {
		text = cost.FormatMarkdown
	}

	return cmp.Or(printAs(c, format, entries, text), exceeded)
}

// parseCostOptions reads the assumptions about a run.
func parseCostOptions(c *cli.Call) (cost.Options, error) {
	var o cost.Options
	if text := c.Flag("input"); text != "" {
		bytes, err := size.Parse(text)
		if err != nil {
			return o, c.Usagef("--input %q %v", text, err)
		}
		o.Input = cost.Amount(bytes)
	}
	o.Model = c.Flag("model")
	if provider, id, _ := strings.Cut(o.Model, ":"); c.On("model") && (provider == "" || id == "") {
		return o, c.Usagef("--model %q is not of the form provider:model", o.Model)
	}
	attempts, err := parsePositiveFlag(c, "attempts")
	if err != nil {
		return o, err
	}
	o.Attempts = attempts
	o.MaxTokens, err = parsePositiveFlag(c, "max-tokens")

	return o, err
}

// parsePositiveFlag returns the value of a flag that is a positive integer, or 0 if it is not set.
func parsePositiveFlag(c *cli.Call, name string) (int, error) {
	text := c.Flag(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, c.Usagef("--%s %q is not a whole number above 0", name, text)
	}

	return n, nil
}
