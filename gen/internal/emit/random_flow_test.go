package emit_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// TestFlowsMeanTheirOperations compiles many random flows, which contain each other, into one
// program, and runs it and an interpreter of the operations against the same effects, with any key
// and where only done is allowed: requests, events and ends are the same.
func TestFlowsMeanTheirOperations(t *testing.T) {
	t.Parallel()
	flows := 60
	if testing.Short() {
		flows = 15
	}
	p := randomFlows(flows)
	source, err := os.ReadFile("player_test.go")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t)
	w.add("flows", emitted(t, p))
	w.write("player.go", strings.Replace(string(source), "package emit_test", "package main", 1))
	var calls, closed, want strings.Builder
	for _, a := range p.Agents {
		if _, isFlow := ir.PatternOf(a.Node); !isFlow {
			continue
		}
		name := a.Name.Value
		fmt.Fprintf(&calls, "\tfmt.Print(play(%[1]q, rt.RunFunc(app.%[2]s).Entry), play(%[1]q, app.Closed%[2]s))\n", name, names.Run(name))
		fmt.Fprintf(&closed, "func (a *App) Closed%s(fx runtime.Effects, input string) (runtime.Finish, error) {\n"+
			"\treturn a.%s(fx, input, rt.Closed(\"test\", \"all\", \"done\"))\n}\n", names.Run(name), names.Run(name))
		for _, at := range []rt.Place{rt.Place{}, rt.Closed("test", "all", "done")} {
			want.WriteString(play(name, func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return interpretAgent(a, fx, input, at)
			}))
		}
	}
	w.write("flows/closed.go", "package flows\n\nimport (\n\t\"github.com/agentc-dev/agentc/runtime\"\n\t\"github.com/agentc-dev/agentc/runtime/generated/rt\"\n)\n\n"+closed.String())
	w.write("main.go", "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/agentc-dev/agentc/runtime/generated/rt\"\n\n\t\"emitted/flows\"\n)\n\n"+
		"func main() {\n\tapp := flows.New()\n"+calls.String()+"}\n")
	w.run("vet", "./...")

	got := strings.Split(w.run("run", "."), "\n")
	lines := strings.Split(want.String(), "\n")
	for i, line := range lines {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d after %q: want %q, got %q", i, lines[max(i-1, 0)], line, got[min(i, len(got)-1)])
		}
	}
	t.Logf("%d lines", len(lines))
}

// randomFlows returns a program of n flows. Each runs some of the agents that come before it.
func randomFlows(n int) *ir.Program {
	p := &ir.Program{Package: "flows"}
	for i, node := range []ir.Node{&ir.Oneshot{Repair: 2}, &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}} {
		name := fmt.Sprintf("agent-%d", i)
		p.Agents = append(p.Agents, &ir.Agent{
			Name: textLiteral(name), File: emittest.AgentFile(name), Version: "1", Prompt: textLiteral("Do your part.\n"), Node: node,
		})
	}
	for i := range n {
		o := emittest.FlowOptions{Name: fmt.Sprintf("flow-%d", i), Size: 1 + i%6}
		if i%4 > 0 {
			o.Agents = []*ir.Agent{p.Agents[0], p.Agents[1], p.Agents[len(p.Agents)-1]}[:i%4]
		}
		emittest.AddFlow(p, uint64(i), o)
	}
	emittest.SortAgents(p)

	return p
}
