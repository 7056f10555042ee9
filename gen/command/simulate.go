package command

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var simulateCommand = &cli.Command{
	Name: "simulate", Args: "[DIR]", Max: 1,
	Summary: "try a project's machines without a model, and write scripts",
	Example: "agentc simulate ./examples/support\n" +
		"agentc simulate --write-scripts scripts ./examples/support\n" +
		"agentc run --script scripts/billing.review.rework.yaml ./examples/support",
	Flags: []cli.Flag{
		{Name: "agent", Value: "NAME", Help: "start at this agent instead of the entry point"},
		{Name: "max-steps", Value: "N", Help: "the most agents that a machine runs, and rounds of a loop, in a run"},
		{Name: "write-scripts", Value: "DIR", Help: "write scripts to DIR that together take every row"},
		{Name: "format", Value: "NAME", Choices: []string{"yaml", formatJSON},
			Help: "the format of scripts: yaml (the default), or json for a built binary and simulate.New"},
		{Name: "json", Help: "print the result as JSON"},
	},
	Run: withExitCode(runSimulate),
}

// simulation is a call of simulate.
type simulation struct {
	c       *cli.Call
	p       *project
	program *ir.Program
	options simulate.Options
}

func runSimulate(c *cli.Call) error {
	s := &simulation{c: c}
	if err := s.readFlags(); err != nil {
		return err
	}
	var err error
	if s.p, s.program, err = openChecked(c); err != nil {
		return err
	}
	if s.options.Roots, err = s.p.agents(c, s.program, graph.Roots(s.program)); err != nil {
		return err
	}
	if len(s.options.Roots) == 0 {
		return problemf("the project has no agents: there is nothing to run")
	}

	return s.all()
}

func (s *simulation) readFlags() error {
	if s.c.On("format") && !s.c.On("write-scripts") {
		return usagef("--format says how --write-scripts writes, which is not given; --json prints what is found as JSON")
	}
	var err error
	s.options.MaxSteps, err = wholeFlag(s.c, "max-steps")

	return err
}

// all reports on all machines.
func (s *simulation) all() error {
	progress := newProgress(s.c)
	s.options.Progress = progress.of("simulating")
	r := &report{simulation: s, result: simulate.Program(s.program, s.options)}
	if s.c.On("write-scripts") {
		r.scripts, r.unscripted = r.result.Scripts(progress.of("scripts"))
	}
	progress.clear()

	written := ""
	if s.c.On("write-scripts") {
		summary, err := s.writeScripts(r.scripts)
		if err != nil {
			return err
		}
		written = summary + "\n"
	}
	if err := r.print(); err != nil {
		return err
	}
	fmt.Fprintln(s.c.Notes(), r.summary())
	s.reportDriven()
	fmt.Fprint(s.c.Notes(), written)
	if len(r.result.Left()) > 0 || len(r.result.Endless) > 0 || len(r.unscripted) > 0 {
		return errReported
	}

	return nil
}

// reportDriven says of machines that others drive that there are no scripts for them.
func (s *simulation) reportDriven() {
	for _, a := range s.options.Roots {
		if s.c.On("write-scripts") && a.Driven() {
			say(s.c, "%q is a machine that others drive (drive: external): no script can run it", a.Name.Value)
		}
	}
}
