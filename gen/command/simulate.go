package command

import (
	"cmp"
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var simulateCommand = &cli.Command{
	Name: "simulate", Args: "[DIR]", Max: 1,
	Summary: "try a project's machines and steps without a model, and write scripts",
	Example: "agentc simulate ./examples/support\n" +
		"agentc simulate --write-scripts scripts ./examples/support\n" +
		"agentc run --script scripts/billing.review.rework.yaml ./examples/support",
	Flags: []cli.Flag{
		{Name: "agent", Value: "NAME", Help: "start at this agent instead of the entry point"},
		{Name: "max-steps", Value: "N", Help: "the most agents that a machine runs, and rounds of a loop, in a run"},
		{Name: "write-scripts", Value: "DIR", Help: "write scripts to DIR that together take every row and every case of a step"},
		{Name: "format", Value: "NAME", Choices: []string{"yaml", formatJSON},
			Help: "the format of scripts: yaml (the default), or json for a built binary and simulate.New"},
		{Name: "json", Help: "print the result as JSON"},
	},
	Run: runSimulate,
}

// simulation is a call of simulate with its result.
type simulation struct {
	c       *cli.Call
	p       *project
	options simulate.Options
	result  *simulate.Result
	// scripts and unscripted are the results for --write-scripts.
	scripts    []*simulate.Script
	unscripted []simulate.Unscripted
}

func runSimulate(c *cli.Call) error {
	if c.On("format") && !c.On("write-scripts") {
		return c.Usagef("--format needs --write-scripts; --json prints the result as JSON")
	}
	steps, err := parsePositiveFlag(c, "max-steps")
	if err != nil {
		return err
	}
	p, program, exceeded, err := openForReport(c)
	if err != nil {
		return err
	}
	progress := newProgress(c)
	s := &simulation{c: c, p: p, options: simulate.Options{MaxSteps: steps, Progress: progress.reporter("simulating")}}
	s.options.Roots, err = p.chosenAgents(c, program, graph.FindRoots(program))
	if err != nil {
		return err
	}
	if len(s.options.Roots) == 0 {
		return c.Errorf(cli.Problem, "the project has no agents: there is nothing to run")
	}

	s.result = simulate.FindRuns(program, s.options)
	written := ""
	if c.On("write-scripts") {
		s.scripts, s.unscripted = s.result.Scripts(progress.reporter("scripts"))
	}
	progress.clearLine()
	if c.On("write-scripts") {
		written, err = s.writeScripts()
		if err != nil {
			return err
		}
	}

	return cmp.Or(s.printReport(written), exceeded)
}

// printReport prints the result; written is a summary of the written scripts.
func (s *simulation) printReport(written string) error {
	if err := s.printResult(); err != nil {
		return err
	}
	if summary := s.summaryLine(); summary != "" {
		fmt.Fprintln(s.c.Notes(), summary)
	}
	for _, a := range s.options.Roots {
		if s.c.On("write-scripts") && a.IsGoDriven() {
			printMessage(s.c, "%q is a machine that others drive (drive: external): no script can run it", a.Name.Value)
		}
	}
	fmt.Fprint(s.c.Notes(), written)
	if len(s.result.UncoveredRows()) > 0 || len(s.result.DeadBranches()) > 0 || len(s.result.Endless) > 0 || len(s.unscripted) > 0 {
		return s.c.Exit(cli.Problem)
	}

	return nil
}
