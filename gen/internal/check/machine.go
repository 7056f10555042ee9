package check

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine is a state machine, and what its names most likely mean.
type machine struct {
	*ir.Machine
	agent *ir.Agent
	// gate is what the machine is part of, task the step of a workflow that it is; nil for one of pattern fsm.
	gate *ir.Gate
	task *ir.Task
	// names are those of the states, in source order; byName finds a state.
	names  []string
	byName map[string]*ir.State
	// refs are all references to states: the initial state, then the targets. led are those to a state; it
	// is made when ledTo is first asked, which is only of faulty machines.
	refs []ir.Ref
	led  map[*ir.State][]ir.Ref
	// meant are the states that names without a state of their own most likely mean.
	meant map[string]*ir.State
	// misspelled are the states whose own name is at fault, by the name that rows use for them; ledBy are those rows.
	misspelled map[string]*ir.State
	ledBy      map[*ir.State][]ir.Ref

	// flow is what can happen in it.
	flow *flow.Machine
}

func newMachine(agent *ir.Agent, m *ir.Machine) *machine {
	x := &machine{
		Machine: m, agent: agent, names: stateNames(m.States), byName: make(map[string]*ir.State, len(m.States)),
		meant: map[string]*ir.State{}, misspelled: map[string]*ir.State{}, ledBy: map[*ir.State][]ir.Ref{},
	}
	for _, s := range m.States {
		x.byName[s.Name.Value] = cmp.Or(x.byName[s.Name.Value], s)
	}

	return x
}

// addMachines adds the machine of an agent, that of its gate, or those of a workflow, in source order.
func (u *unit) addMachines(a *ir.Agent) {
	if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if m, isMachine := t.Do.(*ir.Machine); isMachine {
				x := newMachine(a, m)
				x.task, x.refs = t, refsOf(m)
				u.workMachines = append(u.workMachines, x)
			}
		})
		return
	}
	m := a.MachineOf()
	if m == nil {
		return
	}
	x := newMachine(a, m)
	if react, gated := a.Node.(*ir.React); gated {
		x.gate = react.Gate
	}
	x.refs = refsOf(m)
	x.findMisspelled(u)
	u.machines = append(u.machines, x)
}

// name is what the machine is called.
func (x *machine) name() string {
	if x.task != nil {
		return x.task.Name.Value
	}

	return x.agent.Name.Value
}

// inUngated returns where a gate lets an action through in every state.
func (x *machine) inUngated(action string) (at ir.Text, ok bool) {
	if x.gate != nil {
		at = ir.First(x.gate.Ungated, func(a ir.Text) bool { return a.Value == action })
	}

	return at, at.Value != ""
}

// driven reports whether no agent runs in the states of the machine: others drive it, or the calls of a model do.
func (x *machine) driven() bool { return x.External || x.gate != nil }

// resolve returns the state that ref names or most likely means; nil if that is not known.
func (x *machine) resolve(ref ir.Ref) *ir.State {
	if ref.State != nil {
		return ref.State
	}
	s, known := x.meant[ref.Value]
	if known {
		return s
	}
	if near, ok := diag.Nearest(ref.Value, x.names); ok {
		s = x.byName[near]
	}
	x.meant[ref.Value] = s

	return s
}

// ledTo returns the references that name s as it is called.
func (x *machine) ledTo(s *ir.State) []ir.Ref {
	if x.led == nil {
		x.led = map[*ir.State][]ir.Ref{}
		for _, ref := range x.refs {
			x.led[ref.State] = append(x.led[ref.State], ref)
		}
	}

	return x.led[s]
}

// refsOf returns every reference to a state: the initial one, those of unconditional states, and those of rows, in source order.
func refsOf(m *ir.Machine) []ir.Ref {
	refs := []ir.Ref{m.Initial}
	for _, s := range m.States {
		if s.Always != nil {
			refs = append(refs, *s.Always)
		}
	}
	for _, row := range m.Rows() {
		if !row.End {
			refs = append(refs, row.To)
		}
	}

	return refs
}

// start returns the state in which the machine begins, or most likely is meant to; nil if that is not known.
func (x *machine) start() *ir.State { return x.resolve(x.Initial) }
