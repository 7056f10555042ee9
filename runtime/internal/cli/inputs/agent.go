package inputs

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

// Agent returns the agent to run: that of --agent, or the entry point.
func Agent(c *cli.Call, p *compiled.Program) (agent string, err error) {
	agent = cmp.Or(c.Flag("agent"), p.Entry)
	var names []string
	for _, a := range p.Agents {
		if a.Name == agent && a.Run == nil {
			return "", c.Errorf(cli.Problem, "%q is a machine that others drive (drive: external): there is nothing to run", agent)
		}
		if a.Name == agent {
			return agent, nil
		}
		if a.Run != nil {
			names = append(names, a.Name)
		}
	}
	if agent == "" {
		return "", c.Usagef("which agent? Choose one with --agent: %s", strings.Join(names, ", "))
	}
	hint := cmp.Or(nearest.DidYouMean(agent, names), ": there are "+strings.Join(names, ", "))

	return "", c.Usagef("there is no agent %q%s", agent, hint)
}

// Task returns the argument, or without one all of stdin except for a final line break.
func Task(c *cli.Call) (task string, err error) {
	if len(c.Args) > 0 {
		return c.Args[0], nil
	}
	if c.IsTerminal(c.Stdin) {
		return "", c.Usagef("what is the task? Give it as an argument or on stdin")
	}

	return Stdin(c)
}

// Stdin returns all of stdin except for a final line break.
func Stdin(c *cli.Call) (string, error) {
	text, err := io.ReadAll(c.Stdin)
	if err != nil {
		return "", fmt.Errorf("stdin: %w", err)
	}

	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
}

// MaxRuns is the default of --max-runs.
const MaxRuns = 64

// Counts reads flags that are numbers from 1 on; those that are not there change nothing.
func Counts(c *cli.Call, flags map[string]*int) error {
	for name, to := range flags {
		if !c.On(name) {
			continue
		}
		n, err := strconv.Atoi(c.Flag(name))
		if err != nil || n < 1 {
			return c.Usagef("--%s is a number from 1 on, not %q", name, c.Flag(name))
		}
		*to = n
	}

	return nil
}

// Stops stops something, and reports whether that was done before another interrupt came.
func Stops(stop func(), interrupts <-chan os.Signal) bool {
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	select {
	case <-stopped:
		return true
	case <-interrupts:
		return false
	}
}
