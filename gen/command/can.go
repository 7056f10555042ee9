package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var canCommand = &cli.Command{
	Name: "can", Args: "[DIR]", Max: 1,
	Summary: "list what a run can do, and what untrusted text can reach",
	Example: "agentc can ./examples/support\nagentc can --from untrusted --to external",
	Flags: append([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "start at this agent instead of the entry points"},
		{Name: "from", Value: "CLASS", Choices: can.Sources, Help: "print how text from this source reaches calls"},
		{Name: "to", Value: "CLASS", Choices: can.Deeds, Help: "with --from: which calls; default: any"},
		{Name: "write-scripts", Value: "DIR", Help: "with --from: write a script for each path that a script can take, for agentc run"},
	}, formatFlags("text (the default) or json", formatText, formatJSON)...),
	Run: withFormat(showCan),
}

func showCan(c *cli.Call, format string) error {
	for _, name := range []string{"to", "write-scripts"} {
		if c.On(name) && !c.On("from") {
			return c.Usagef("--%s needs --from", name)
		}
	}
	p, program, exceeded, err := openForReport(c)
	if err != nil {
		return err
	}
	entries, err := p.chosenAgents(c, program, program.EntryPoints())
	if err != nil {
		return err
	}
	facts := flow.Analyze(program, flow.Guess{})
	if c.On("from") {
		return cmp.Or(showFlows(c, facts, entries, format), exceeded)
	}

	return cmp.Or(printAs(c, format, can.FindEntries(program, facts, entries), can.FormatText), exceeded)
}

// showFlows prints the paths of untrusted text.
func showFlows(c *cli.Call, facts *flow.Program, entries []*ir.Agent, format string) error {
	wanted := can.Flow{From: []string{c.Flag("from")}, To: []string{can.Any}}
	if c.On("to") {
		wanted.To = []string{c.Flag("to")}
	}
	paths := can.FindFlows(facts, entries, wanted)
	if c.On("write-scripts") {
		if err := writePathScripts(c, paths); err != nil {
			return err
		}
	}
	err := printAs(c, format, slices.Concat([]can.Path{}, paths), func(paths []can.Path) string {
		return can.FormatPaths(agentNames(entries), paths)
	})
	if err == nil && len(paths) > 0 {
		return c.Exit(cli.Problem)
	}

	return err
}

// writePathScripts writes the scripts of paths into a folder. It reports a path that no script can
// follow.
func writePathScripts(c *cli.Call, paths []can.Path) error {
	dir := c.Path(c.Flag("write-scripts"))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range paths {
		script, err := p.Script()
		if err != nil {
			printMessage(c, "%s: no script: %v", p.Summary(), err)
			continue
		}
		name := strings.ReplaceAll(p.Entry+"."+p.Agent+"."+p.Tool, "/", "-") + ".json"
		if err := os.WriteFile(filepath.Join(dir, name), script, 0o666); err != nil {
			return err
		}
		contextFlag := ""
		if context := p.Context(); context != "" {
			contextFlag = " --context '" + strings.ReplaceAll(context, "'", `'\''`) + "'"
		}
		fmt.Fprintf(c.Stderr, "wrote %s: agentc run --agent %s%s --script %s --partial %s\n", c.Rel(filepath.Join(dir, name)), p.Entry, contextFlag,
			c.Rel(filepath.Join(dir, name)), p.Input())
	}

	return nil
}
