package check

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine is a state machine with the most likely meanings of its names.
type machine struct {
	*ir.Machine
	agent *ir.Agent
	// gate contains the machine, or task is the workflow step that it implements. Both are nil for
	// pattern fsm.
	gate *ir.Gate
	task *ir.Task
	// names are the names of the states in source order; byName finds a state by name.
	names  []string
	byName map[string]*ir.State
	// refs are all references to states: the initial state, then the targets. refsByState groups
	// them; it is built on the first call of referencesTo, which only faulty machines need.
	refs        []ir.Ref
	refsByState map[*ir.State][]ir.Ref
	// nearest caches the results of resolve for undefined names.
	nearest map[string]*ir.State
	// misspelled are the states with a misspelled name, by the name that rows use for them.
	// misspelledRefs are the references of these rows.
	misspelled     map[string]*ir.State
	misspelledRefs map[*ir.State][]ir.Ref

	// flow describes which states and rows runs of the machine reach.
	flow *flow.Machine
}

func newMachine(agent *ir.Agent, m *ir.Machine) *machine {
	x := &machine{
		Machine: m, agent: agent, names: stateNames(m.States), byName: make(map[string]*ir.State, len(m.States)),
		nearest: map[string]*ir.State{}, misspelled: map[string]*ir.State{}, misspelledRefs: map[*ir.State][]ir.Ref{},
	}
	for _, s := range m.States {
		x.byName[s.Name.Value] = cmp.Or(x.byName[s.Name.Value], s)
	}

	return x
}

// addMachines adds the machines of an agent in source order: its own, that of its gate, or those of
// its workflow.
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

// name is the name of the machine in messages.
func (x *machine) name() string {
	if x.task != nil {
		return x.task.Name.Value
	}

	return x.agent.Name.Value
}

// ungatedAction returns the entry for an action in the ungated list of the gate.
func (x *machine) ungatedAction(action string) (at ir.Text, ok bool) {
	if x.gate != nil {
		at = ir.First(x.gate.Ungated, func(a ir.Text) bool { return a.Value == action })
	}

	return at, at.Value != ""
}

// isDriven reports whether no agent runs in the states of the machine: an external caller or the
// calls of a model drive it.
func (x *machine) isDriven() bool { return x.External || x.gate != nil }

// resolve returns the state that ref names or most likely means, or nil.
func (x *machine) resolve(ref ir.Ref) *ir.State {
	if ref.State != nil {
		return ref.State
	}
	s, known := x.nearest[ref.Value]
	if known {
		return s
	}
	if near, ok := diag.Nearest(ref.Value, x.names); ok {
		s = x.byName[near]
	}
	x.nearest[ref.Value] = s

	return s
}

// referencesTo returns the references that name s correctly.
func (x *machine) referencesTo(s *ir.State) []ir.Ref {
	if x.refsByState == nil {
		x.refsByState = map[*ir.State][]ir.Ref{}
		for _, ref := range x.refs {
			x.refsByState[ref.State] = append(x.refsByState[ref.State], ref)
		}
	}

	return x.refsByState[s]
}

// refsOf returns every reference to a state in source order: the initial state, and the targets of
// unconditional states and rows.
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

// startState returns the state in which the machine begins or is most likely meant to begin, or
// nil.
func (x *machine) startState() *ir.State { return x.resolve(x.Initial) }
