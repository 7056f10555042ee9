package app

import (
	"cmp"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

func graphCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "graph", Max: 0,
		Summary: "draw an agent as Mermaid",
		Help:    "Draws the entry point, or the machine or flow that --agent names.",
		Example: p.Name + " graph > machine.mmd",
		Flags:   []cli.Flag{{Name: "agent", Value: "NAME", Help: "draw this agent"}},
		Run:     func(c *cli.Call) error { return runGraph(c, p) },
	}
}

func runGraph(c *cli.Call, p *compiled.Program) error {
	name := cmp.Or(c.Flag("agent"), p.Entry)
	var drawn []string
	for _, a := range p.Agents {
		if a.Graph != "" {
			drawn = append(drawn, a.Name)
		}
		if a.Name != name {
			continue
		}
		if a.Graph == "" {
			return c.Errorf(cli.Problem, "%s is a %s agent: it has nothing to draw", a.Name, a.Pattern)
		}
		_, err := io.WriteString(c.Stdout, a.Graph)
		return err
	}
	if name == "" {
		return c.Usagef("which agent? Choose one with --agent: %s", strings.Join(drawn, ", "))
	}

	return c.Usagef("there is no agent %q%s", name, nearest.DidYouMean(name, drawn))
}

func versionCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "version", Max: 0,
		Summary: "print the program's hashes, and the versions of the runtime, agentc and Go",
		Help:    "Two binaries with the same shape have the same states, rows and tool schemas; with the same text, also the same prompts.",
		Example: p.Name + " version",
		Run: func(c *cli.Call) error {
			fmt.Fprintf(c.Stdout, "%s\nshape %s\ntext %s\n", p.Name, p.Shape, p.TextHash())
			fmt.Fprintf(c.Stdout, "runtime %s, generated code of generations %d to %d\n", c.Program.Version(), rt.MinVersion, rt.MaxVersion)
			if builtBy != "" {
				fmt.Fprintf(c.Stdout, "built by agentc %s\n", builtBy)
			}
			fmt.Fprintf(c.Stdout, "%s %s/%s\n", goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
			return nil
		},
	}
}

// builtBy is the version of the agentc that has built this binary, which sets it; "" where go build
// alone has.
var builtBy string
