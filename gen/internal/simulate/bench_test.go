package simulate_test

import (
	"strconv"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// large returns a machine of many states with twenty rows each.
func large(states int) *ir.Program {
	p := &ir.Program{}
	emittest.AddMachine(p, 1, emittest.Options{States: states, Rows: 20, Keys: emittest.NewKeys(20), Agents: true})
	for _, a := range p.Agents {
		if _, oneshot := a.Node.(*ir.Oneshot); oneshot {
			a.Node = &ir.React{MaxIter: 10}
		}
	}
	emittest.SortAgents(p)

	return p
}

func BenchmarkProgram(b *testing.B) {
	for _, states := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(states), func(b *testing.B) {
			p := large(states)
			o := simulate.Options{Roots: []*ir.Agent{p.AgentByName("machine")}}
			for b.Loop() {
				simulate.FindRuns(p, o)
			}
		})
	}
}

func BenchmarkScripts(b *testing.B) {
	for _, states := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(states), func(b *testing.B) {
			p := large(states)
			r := simulate.FindRuns(p, simulate.Options{Roots: []*ir.Agent{p.AgentByName("machine")}})
			for b.Loop() {
				r.Scripts(nil)
			}
		})
	}
}
