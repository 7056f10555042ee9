package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// machineBuilder builds one machine.
type machineBuilder struct {
	loader *loader
	// agent is the one whose machine it is.
	agent   *ir.Agent
	machine *ir.Machine
	states  map[string]*ir.State
	// gated is the react loop whose gate the machine is; nil for an fsm.
	gated *ir.React
	// written is the mapping of the states.
	written *yamldoc.Node
	// guarded are the rows with a guard, in source order.
	guarded []guardedRow
	// counts is the schema of `visits`; nil until a guard is read.
	counts *ir.Schema
}

// machine lowers an fsm. Its references are resolved when all its states are known.
func (l *loader) machine(d *document) *ir.Machine {
	b := l.newMachine(d.agent)
	steps := d.head.Value("max_steps")
	b.machine.MaxSteps = l.Limit(steps, defaultMaxSteps)
	if steps != nil {
		b.machine.MaxStepsAt = steps.Span
	}
	// The field has one legal value; whatever is there, the states are no agents.
	b.machine.External = d.head.Get("drive") != nil

	b.addStates(d.head)
	b.live(d.head)

	return b.machine
}

// newMachine begins the machine of an agent.
func (l *loader) newMachine(a *ir.Agent) *machineBuilder {
	b := &machineBuilder{loader: l, agent: a, machine: &ir.Machine{}, states: map[string]*ir.State{}}
	l.machines = append(l.machines, b)

	return b
}

// addStates reads the fields `initial` and `states`.
func (b *machineBuilder) addStates(n *yamldoc.Node) {
	states, initial := n.Value("states"), frontend.Text(n.Value("initial"))
	if states == nil || len(states.Fields) == 0 {
		b.machine.Partial = true // and no place to begin in is missing
		return
	}
	b.written = states
	for _, f := range states.Fields {
		b.addState(f)
	}
	b.machine.Initial = ir.Ref{Text: initial}
	b.machine.Partial = b.machine.Partial || initial.Value == ""
	b.resolve()
}

func (b *machineBuilder) addState(f *yamldoc.Field) {
	name := frontend.Key(f)
	if b.states[name.Value] != nil {
		b.machine.Partial = true // a repeated key, reported where the tree was made
		return
	}
	if name.Value == "" {
		b.machine.Partial = true
		b.loader.List.Add(diag.New(diag.BadValue, f.Key.Span, "a state has no name"))
		return
	}

	state := &ir.State{Name: name}
	if !b.machine.External {
		state.Agent = b.loader.Agent(name.Value)
	}
	switch f.Value.Kind {
	case yamldoc.Null:
		// terminal
	case yamldoc.Seq:
		b.addRows(state, f.Value)
	case yamldoc.Map:
		b.machine.Partial = true
	default:
		if b.gated != nil {
			b.machine.Partial = true // no agent runs in it that could finish
			b.loader.List.Add(diag.New(diag.BadValue, f.Value.Span, "state %q of a gate needs rows of actions, or is ~", f.Key.Text).
				WithHint("write a list such as - %s: %s", ir.FinishAction, f.Value.Text))
			break
		}
		state.Always = &ir.Ref{Text: frontend.Text(f.Value)}
	}
	b.states[name.Value] = state
	b.machine.States = append(b.machine.States, state)
}

// resolve points the references of the machine to its states.
func (b *machineBuilder) resolve() {
	b.machine.Initial.State = b.states[b.machine.Initial.Value]
	for _, state := range b.machine.States {
		if state.Always != nil {
			state.Always.State = b.states[state.Always.Value]
		}
		for _, row := range state.Rows {
			if !row.End {
				row.To.State = b.states[row.To.Value]
			}
		}
	}
}
