package app

import (
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

func graphCommand(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "graph", Max: 0,
		Summary: "draw a machine as Mermaid",
		Help:    "Draws the entry point. A box with double sides is a machine that is drawn elsewhere, or with --agent.",
		Example: p.Name + " graph > machine.mmd",
		Flags:   []cli.Flag{{Name: "agent", Value: "NAME", Help: "draw this machine"}},
		Run:     func(c *cli.Call) int { return graph(c, p) },
	}
}

func graph(c *cli.Call, p *runtime.Program) int {
	name := c.Flag("agent")
	if !c.On("agent") {
		name = p.Entry
	}
	var machines []string
	for _, a := range p.Agents {
		if a.Graph != "" {
			machines = append(machines, a.Name)
		}
		if a.Name != name {
			continue
		}
		if a.Graph == "" {
			return c.Errorf(cli.Problem, "%s is a %s agent: it has no machine to draw", a.Name, a.Pattern)
		}
		if _, err := io.WriteString(c.Stdout, a.Graph); err != nil {
			return c.Errorf(cli.Failure, "%v", err)
		}
		return cli.Done
	}
	if name == "" {
		return c.Usagef("which machine? Choose one with --agent: %s", strings.Join(machines, ", "))
	}
	if near, ok := cli.Nearest(name, machines); ok {
		return c.Usagef("there is no agent %q (did you mean %q?)", name, near)
	}

	return c.Usagef("there is no agent %q", name)
}

func versionCommand(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "version", Max: 0,
		Summary: "print the versions of program, runtime and Go",
		Help:    "Two binaries with one shape have the same states, rows and tool schemas; with one text, the same prompts too.",
		Example: p.Name + " version",
		Run: func(c *cli.Call) int {
			fmt.Fprintf(c.Stdout, "%s\nshape %s\ntext %s\n", p.Name, p.Shape, p.Text)
			fmt.Fprintf(c.Stdout, "runtime %s, generated code of generations %d to %d\n", ownVersion(), runtime.MinVersion, runtime.MaxVersion)
			fmt.Fprintf(c.Stdout, "%s %s/%s\n", goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
			return cli.Done
		},
	}
}

// ownVersion is the version of the runtime in this binary.
func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/agentc-dev/agentc" && m.Version != "" {
				return m.Version
			}
		}
	}

	return "(devel)"
}
