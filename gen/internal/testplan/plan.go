package testplan

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/walk"
)

// MaxRows bounds the rows of a machine that its test has.
const MaxRows = 1000

// Plan is what the test of a machine has.
type Plan struct {
	// States are all states in source order or, if the plan is Cut, those that the fewest transitions lead to first.
	States []*ir.State
	Cut    bool
	// Runs says that the test runs the machine. Otherwise it only asks: others drive the machine, its agents stand in more places
	// than can be looked at, or one of them has a gate, so that it may not finish before it has called tools.
	Runs bool
	// Dead are the rows of States that no run takes. Unreached are the States with an agent that no run comes to.
	Dead      []Dead
	Unreached []*ir.State
	// Values are what agents finish with where not any text will do, as JSON, by agent or agent/step.
	Values map[string][]string
}

// Dead is a row that no run takes, though runs come to its state.
type Dead struct {
	State *ir.State
	// Row is nil for the row of an unconditional state.
	Row *ir.Row
	// Why is a clause.
	Why string
}

// Of returns the plans of the machines of a program, those of gates included.
func Of(program *ir.Program) map[*ir.Agent]*Plan {
	plans := map[*ir.Agent]*Plan{}
	var runs []*ir.Agent
	for _, a := range program.Agents {
		if m := a.MachineOf(); m != nil && len(m.States) > 0 {
			plans[a] = &Plan{}
			if !m.External && !slices.ContainsFunc(contained(a), gated) {
				runs = append(runs, a)
			}
		}
	}
	found := map[*ir.Agent]*walk.Machine{}
	machines, whole := walk.Alone(program, runs)
	for i, a := range runs {
		if whole {
			found[a] = machines[i]
		}
	}
	for a, p := range plans {
		p.of(a, found[a])
	}

	return plans
}

// of makes the plan of a machine. found is what runs of it do; nil if it is not run.
func (p *Plan) of(a *ir.Agent, found *walk.Machine) {
	m := a.MachineOf()
	p.States = m.States
	if rowsOf(m.States...) > MaxRows {
		p.States, p.Cut = nearest(m, found), true
	}
	if found != nil {
		p.Runs, p.Values = true, valuesOf(contained(a))
		p.leaveOut(found)
	}
}

// leaveOut notes what no run does.
func (p *Plan) leaveOut(found *walk.Machine) {
	tested := map[*ir.State]bool{}
	for _, s := range p.States {
		tested[s] = true
	}
	for _, s := range found.States {
		if tested[s.State] && s.Agent != nil && !s.Reached {
			p.Unreached = append(p.Unreached, s.State)
		}
	}
	for _, row := range found.Rows {
		if tested[row.State.State] && row.State.Reached && !row.Taken {
			p.Dead = append(p.Dead, Dead{State: row.State.State, Row: row.Row, Why: row.Why.Text})
		}
	}
}

func gated(a *ir.Agent) bool {
	react, isReact := a.Node.(*ir.React)

	return isReact && react.Gate != nil
}

// contained returns a and all agents that run in it, each once.
func contained(a *ir.Agent) []*ir.Agent {
	agents := []*ir.Agent{a}
	seen := map[*ir.Agent]bool{a: true}
	for i := 0; i < len(agents); i++ {
		for _, ref := range agents[i].Contained() {
			if ref.Agent != nil && !seen[ref.Agent] {
				seen[ref.Agent] = true
				agents = append(agents, ref.Agent)
			}
		}
	}

	return agents
}

func rowsOf(states ...*ir.State) int {
	rows := 0
	for _, s := range states {
		rows += len(s.Rows)
		if s.Always != nil {
			rows++
		}
	}

	return rows
}

// nearest returns as many states as have MaxRows rows, those that the fewest steps lead to from the initial state first. found
// says which rows are taken; without it all may be.
func nearest(m *ir.Machine, found *walk.Machine) []*ir.State {
	targets := targetsOf(m, found)
	var states []*ir.State
	seen := map[*ir.State]bool{nil: true}
	add := func(s *ir.State) {
		if !seen[s] {
			seen[s] = true
			states = append(states, s)
		}
	}
	rows := 0
	add(m.Initial.State)
	for i := 0; i < len(states); i++ {
		if rows += rowsOf(states[i]); rows > MaxRows {
			return states[:i]
		}
		for _, to := range targets[states[i]] {
			add(to)
		}
	}

	return states
}

// targetsOf returns where the rows of each state lead that are taken.
func targetsOf(m *ir.Machine, found *walk.Machine) map[*ir.State][]*ir.State {
	targets := map[*ir.State][]*ir.State{}
	if found != nil {
		for _, row := range found.Rows {
			if row.Taken && row.Row != nil {
				targets[row.State.State] = append(targets[row.State.State], row.Row.To.State)
			} else if row.Taken {
				targets[row.State.State] = append(targets[row.State.State], row.State.Always.State)
			}
		}
		return targets
	}
	for _, s := range m.States {
		if s.Always != nil {
			targets[s] = append(targets[s], s.Always.State)
		}
		for _, row := range s.Rows {
			targets[s] = append(targets[s], row.To.State)
		}
	}

	return targets
}
