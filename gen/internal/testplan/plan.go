package testplan

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Plan is what the test of a machine has.
type Plan struct {
	// Partly says that there may be rows that no run takes when the machine runs by itself.
	Partly bool
	// Runs says that the test runs the machine. Otherwise it only asks: others drive the machine, or one of its agents
	// has a gate, so that it may not finish before it has called tools.
	Runs bool
	// Values are what agents finish with where not any text will do, as JSON, by agent or agent/step.
	Values map[string][]string
}

// Of returns the plans of the machines of a program, those of gates included.
func Of(program *ir.Program) map[*ir.Agent]*Plan {
	facts := flow.Of(program, flow.Guess{})
	plans := map[*ir.Agent]*Plan{}
	for _, a := range program.Agents {
		if m := a.MachineOf(); m != nil && len(m.States) > 0 {
			plans[a] = planOf(a, m, facts)
		}
	}

	return plans
}

func planOf(a *ir.Agent, m *ir.Machine, facts *flow.Program) *Plan {
	p := &Plan{Partly: partly(a, facts.Machine(m))}
	if agents := contained(a); !m.External && !slices.ContainsFunc(agents, gated) {
		p.Runs, p.Values = true, valuesOf(agents)
	}

	return p
}

// partly reports whether a machine may have rows that no run takes. Whether one takes a row for the key exhausted can depend on
// the machine around it, and no signals come in a test.
func partly(a *ir.Agent, m *flow.Machine) bool {
	for _, s := range m.States {
		for _, move := range s.Moves {
			if move.Dead != flow.Alive || !s.Reached || s.Steps >= m.MaxSteps {
				return true
			}
		}
	}

	return slices.ContainsFunc(contained(a), func(inner *ir.Agent) bool {
		if inside := inner.MachineOf(); inside != nil && len(inside.Live.Signals) > 0 {
			return true
		}
		body, isFlow := inner.Node.(*ir.Flow)
		return isFlow && body.Limited()
	})
}

func gated(a *ir.Agent) bool {
	react, isReact := a.Node.(*ir.React)

	return isReact && react.Gate != nil
}

// contained returns a and all agents that run in it, each once.
func contained(a *ir.Agent) (agents []*ir.Agent) {
	ir.WalkContained([]*ir.Agent{a}, func([]ir.Containment) {}, func(inner *ir.Agent) { agents = append(agents, inner) })

	return agents
}
