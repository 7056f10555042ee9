package command

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var simulateCommand = &cli.Command{
	Name: "simulate", Args: "[DIR]", Max: 1,
	Summary: "try a project's machines without a model: which rows some run takes, and scripts that take them",
	Help: `Tries every key at every state of every machine that the entry point reaches, through nested machines and flows, and
prints how many states and rows some run reaches. Each row that none takes is printed on a line of its own, with its place
and the reason; so is a row after which no run ends. The exit code is 1 if there is one. Without an entry point runs
begin with each agent that no other contains. DIR is a project folder, or one AGENT.md, with which runs begin then;
default: the working directory.

A machine runs as many agents in a run as its max_steps says, and a loop (of a reflexion, say) goes round as often as
its own limit says, 1000 times at most; --max-steps lowers both.

--write-scripts writes scripts for agentc run --script: for each row the shortest run that takes it, unless the run of
another row takes it on its way. The files are named after machine, state and key. Scripts of the same agent that are
not needed any more are removed; other files are neither changed nor removed. With --format json a built binary (run --script)
and simulate.New in a Go test read them too.

Scripts answer for guards that have a name, bring the signals that fire keys, and call in the turn that finishes what the
gate of an agent asks for: its rows count like those of a machine. A row that depends on a guard that is an expression, or
on a built-in tool, is reported as one that some run may take, and so is what follows it.

In a workflow models, people and functions answer with values that fit their schemas and with those that guards ask for,
and fail. A row that no such run takes is reported as one that some run may take where its guard may hold all the
same, or where that depends on what the run is given; there is no script for it then.`,
	Example: "agentc simulate ./examples/support\n" +
		"agentc simulate --write-scripts scripts ./examples/support\n" +
		"agentc run --script scripts/billing.review.rework.yaml ./examples/support",
	Flags: []cli.Flag{
		{Name: "agent", Value: "NAME", Help: "runs begin with this agent instead of the entry point"},
		{Name: "max-steps", Value: "N", Help: "the most agents that a machine runs, and rounds that a loop goes, in a run"},
		{Name: "write-scripts", Value: "DIR", Help: "write scripts that together take every row into the folder DIR"},
		{Name: "format", Value: "NAME", Choices: []string{"yaml", formatJSON},
			Help: "of the scripts: yaml (the default), or json, which a built binary and simulate.New read too"},
		{Name: "json", Help: "print what is found as JSON"},
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
	if s.c.On("max-steps") {
		n, err := strconv.Atoi(s.c.Flag("max-steps"))
		if err != nil || n < 1 {
			return usagef("--max-steps is a whole number from 1, not %q", s.c.Flag("max-steps"))
		}
		s.options.MaxSteps = n
	}

	return nil
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
		if s.c.On("write-scripts") && external(a) {
			fmt.Fprintf(s.c.Stderr, "%q is a machine that others drive (drive: external): no script can run it\n", a.Name.Value)
		}
	}
}
