package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// machineBuilder lowers one machine.
type machineBuilder struct {
	loader *loader
	// agent is the owner of the machine.
	agent   *ir.Agent
	machine *ir.Machine
	states  map[string]*ir.State
	// gated is the react loop whose gate is the machine; nil for an fsm.
	gated *ir.React
	// written is the mapping of the states.
	written *yamldoc.Node
	// guarded are the rows with a guard, in source order.
	guarded []guardedRow
	// counts is the schema of visits; nil until the first guard uses it.
	counts *ir.Schema
}

// lowerMachine lowers an fsm. Its references are resolved once all its states are known.
func (l *loader) lowerMachine(d *document) *ir.Machine {
	b := l.newMachine(d.agent)
	steps := d.head.Value("max_steps")
	b.machine.MaxSteps = l.ReadLimit(steps, defaultMaxSteps)
	if steps != nil {
		b.machine.MaxStepsAt = steps.Span
	}
	// The field has one legal value. With any value the states are not agents.
	b.machine.External = d.head.Field("drive") != nil

	b.addStates(d.head)
	b.lowerLive(d.head)

	return b.machine
}

// newMachine returns a builder for the machine of an agent.
func (l *loader) newMachine(a *ir.Agent) *machineBuilder {
	b := &machineBuilder{loader: l, agent: a, machine: &ir.Machine{}, states: map[string]*ir.State{}}
	l.machines = append(l.machines, b)

	return b
}

// addStates lowers the fields `initial` and `states`.
func (b *machineBuilder) addStates(n *yamldoc.Node) {
	states, initial := n.Value("states"), frontend.Text(n.Value("initial"))
	if states == nil || len(states.Fields) == 0 {
		b.machine.Partial = true // and an initial state is not missing
		return
	}
	b.written = states
	for _, f := range states.Fields {
		b.addState(f)
	}
	b.machine.Initial = ir.Ref{Text: initial}
	b.machine.Partial = b.machine.Partial || initial.Value == ""
	b.resolveRefs()
}

func (b *machineBuilder) addState(f *yamldoc.Field) {
	name := frontend.Key(f)
	if b.states[name.Value] != nil {
		b.machine.Partial = true // a repeated key has been reported
		return
	}
	if name.Value == "" {
		b.machine.Partial = true
		b.loader.List.Add(diag.New(diag.BadValue, f.Key.Span, "a state has no name"))
		return
	}

	state := &ir.State{Name: name}
	if !b.machine.External {
		state.Agent = b.loader.FindAgent(name.Value)
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

// resolveRefs resolves the references of the machine to its states.
func (b *machineBuilder) resolveRefs() {
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

// ungatable are the tools of every react loop that are legal in every state of a gate.
var ungatable = slices.DeleteFunc(slices.Clone(reservedTools), func(name string) bool { return name == ir.FinishAction })

// lowerGate lowers the machine over the tools of a react agent, or returns nil.
func (l *loader) lowerGate(d *document, react *ir.React) *ir.Gate {
	f := d.head.Field("gate")
	if f == nil || f.Value.Kind != yamldoc.Map {
		return nil
	}
	b := l.newMachine(d.agent)
	b.gated = react
	b.machine.External = true
	b.machine.MaxSteps = defaultMaxSteps
	b.addStates(f.Value)
	b.lowerLive(d.head)

	return &ir.Gate{Machine: b.machine, Ungated: b.lowerUngated(f.Value.Value("ungated")), Span: f.Key.Span}
}

// lowerUngated lowers the actions that are legal in every state, each once.
func (b *machineBuilder) lowerUngated(n *yamldoc.Node) []ir.Text {
	var actions []ir.Text
	for _, written := range frontend.Texts(n) {
		if action, ok := b.resolveAction(written); ok {
			actions = append(actions, action)
		}
	}

	return b.loader.dropRepeated("tool", actions)
}

// resolveAction returns the key of a row. In a gate it is the canonical name of a tool. It reports
// a key that is not an action and returns false.
func (b *machineBuilder) resolveAction(written ir.Text) (action ir.Text, ok bool) {
	if b.gated == nil {
		return written, true
	}
	switch {
	case slices.Contains(ungatable, written.Value):
		b.loader.List.Add(diag.New(diag.BadValue, written.Span, "%q is legal in every state: a gate cannot list it", written.Value))
		return written, false
	case written.Value == ir.CatchAll:
		b.loader.List.Add(diag.New(diag.BadValue, written.Span, "a gate has to name its actions: %q would allow every tool",
			ir.CatchAll).WithHint("write a row for each tool that may be called here, or list it in ungated"))
		return written, false
	}
	if canonical := builtin.Tool(written.Value); canonical != "" {
		written.Value = canonical
	}

	return written, true
}

// dataOfAction returns the type of the arguments of an action.
func (b *machineBuilder) dataOfAction(action string) ir.Type {
	if action == ir.FinishAction {
		return typeOfValue(b.agent)
	}
	for _, use := range b.gated.Uses {
		if use.Skill == nil {
			continue
		}
		for _, ref := range use.Skill.Tools {
			if ref.Tool != nil && ref.Tool.Name.Value == action {
				return ir.Type{Schema: ref.Tool.Input, Owner: ir.OwnerTool, OwnerName: action}
			}
		}
	}

	return ir.Type{}
}
