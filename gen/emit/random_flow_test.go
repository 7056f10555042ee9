package emit_test

import (
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit/emittest"
	"github.com/agentc-dev/agentc/gen/ir"
)

// TestRandomFlows compiles many random flows, which contain each other, into one program.
func TestRandomFlows(t *testing.T) {
	p := randomFlows(40)
	w := newWorkspace(t)
	w.add("flows", emitted(t, p))
	w.run("", "vet", "./...")
}

// randomFlows returns a program of n flows. Each runs some agents that come before it.
func randomFlows(n int) *ir.Program {
	p := &ir.Program{Package: "flows"}
	emittest.Machine(p, 1, emittest.Options{Name: "machine", States: 4, Agents: true})
	for i := range n {
		o := emittest.FlowOptions{Name: fmt.Sprintf("flow-%d", i), Size: 1 + i%6}
		if i%4 > 0 {
			o.Agents = p.Agents[max(len(p.Agents)-i%4, 0):]
		}
		emittest.Flow(p, uint64(i), o)
	}
	emittest.Sort(p)

	return p
}
