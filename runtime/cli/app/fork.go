package app

import (
	"fmt"
	"os"
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

func forkCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "fork", Args: "RUN", Max: 1,
		Summary: "continue a copy of a run from an earlier effect",
		Help: `The original run does not change. The copy repeats everything before the effect at ADDRESS, which runs show prints after a #. That
effect is performed again, or gets the reply from --reply: text for a model or a person, JSON for a tool or function that returns JSON.
` + aboutTokens + ` ` + aboutRuns,
		Example: p.Name + " runs show last\n" + p.Name + " fork last --at 7.0.1 --reply better.txt",
		Flags: slices.Concat([]cli.Flag{
			{Name: "at", Value: "ADDRESS", Help: "the first effect that is not copied"},
			{Name: "reply", Value: "FILE", Help: "the reply of that effect"},
			noResume, forceShape,
		}, callerFlags(), sessionFlags()),
		Run: func(c *cli.Call) error { return runFork(c, p) },
	}
}

func runFork(c *cli.Call, p *compiled.Program) error {
	if len(c.Args) > 0 && !c.On("at") {
		return c.Usagef("--at ADDRESS is required: the number after # in %s",
			c.Program.Called("runs", "show", c.Args[0]))
	}
	var o core.ForkOptions
	if c.On("reply") {
		var err error
		o.Reply, err = os.ReadFile(c.Path(c.Flag("reply")))
		if err != nil {
			return c.Usagef("--reply: %w", err)
		}
	}
	s, err := sessionOf(c, p, c.Args)
	if err != nil {
		return err
	}
	who, err := permitCaller(c, s.store, s.run, needsRight(access.Admin))
	if err != nil {
		return err
	}
	s.by = who.Name()
	o.By, o.StayPaused = s.by, c.On("no-resume")
	copied, err := s.engine.Fork(s.ctx, s.program, s.run, c.Flag("at"), o)
	if err != nil {
		return runError(c, err)
	}
	if c.On("no-resume") {
		_, err := fmt.Fprintln(c.Stdout, copied)
		return err
	}
	c.Sayf("run %s is a copy of run %s", copied, s.run)
	s.run = copied

	return s.resumeRun()
}
