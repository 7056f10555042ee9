package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// stepsForState bounds the states that a machine runs, for each that it has: as in the original.
const stepsForState = 10

// machine is a machine while it is lowered.
type machine struct {
	step    *step
	machine *ir.Machine
	states  map[string]*ir.State
	frames  map[*ir.State]*frame
	// written are the states that have steps in the source.
	written map[string]bool
}

// singleMachine returns the machine among the steps at the top if there is one, and only one.
func singleMachine(steps *yamldoc.Node) *yamldoc.Node {
	var found []*yamldoc.Node
	for _, n := range stepsOf(steps) {
		if kind, _ := n.Value("kind").Scalar(); kind == kindMachine {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil
	}

	return found[0]
}

// stateMachine lowers a machine. Its references are resolved when all its states are known.
func (s *step) stateMachine() {
	s.input()
	m := &machine{
		step:    s,
		machine: &ir.Machine{},
		states:  map[string]*ir.State{},
		frames:  map[*ir.State]*frame{},
		written: map[string]bool{},
	}
	s.task.Do = m.machine
	s.machines = append(s.machines, m)

	states := s.node.Value("states")
	if states == nil || states.Kind != yamldoc.Map || len(states.Fields) == 0 {
		m.machine.Partial = true
		return
	}
	m.addStates(states)
	m.addEnds(s.node.Value("end_states"))
	m.machine.Initial = m.to(frontend.Text(s.node.Value("start_state")))
	m.addRows(s.node.Value("transitions"))
	m.lowerStates(states)
	m.machine.MaxSteps = s.set.project.Limit(s.node.Value("max_steps"), stepsForState*len(m.written))
	s.task.Type = m.output()
}

// addStates makes the states known by name.
func (m *machine) addStates(states *yamldoc.Node) {
	for _, f := range states.Fields {
		name := frontend.Key(f)
		switch {
		case name.Value == "":
			m.report(diag.New(diag.BadValue, name.Span, "a state has no name"))
		case m.states[name.Value] == nil: // else a repeated key, reported where the tree was made
			m.add(name)
			m.written[name.Value] = true
		}
	}
}

func (m *machine) add(name ir.Text) *ir.State {
	state := &ir.State{Name: name}
	m.states[name.Value] = state
	m.machine.States = append(m.machine.States, state)

	return state
}

// addEnds marks the states in which the machine ends, and adds those that have no steps.
func (m *machine) addEnds(n *yamldoc.Node) {
	ends := frontend.Texts(n)
	if text := frontend.Text(n); text.Value != "" {
		ends = []ir.Text{text}
	}
	for _, end := range ends {
		state := m.states[end.Value]
		switch {
		case end.Value == "": // the schema has said so
			continue
		case state == nil:
			state = m.add(end)
		case state.End:
			m.report(diag.New(diag.BadValue, end.Span, "end state %q is listed twice", end.Value))
			continue
		}
		state.End, state.EndAt = true, end.Span
	}
}

// lowerStates lowers the steps of all states.
func (m *machine) lowerStates(states *yamldoc.Node) {
	for _, state := range m.machine.States {
		name := []string{state.Name.Value}
		if at := m.step.at; at.frame.kind != atTop || m.step.node != m.step.single {
			name = within(at.frame.pipeline, m.step.task.Name.Value, state.Name.Value)
		}
		f := m.step.inside(ofState, m.inputOf(state))
		m.frames[state] = f
		state.Body = m.step.pipeline(states.Value(state.Name.Value), f, name, "state "+state.Name.Value)
	}
}

// inputOf is what is known of what the first step of a state is given: the machine's input, but what a person answered
// where a row for a pause leads from another state.
func (m *machine) inputOf(s *ir.State) ir.Type {
	for _, row := range m.machine.Rows() {
		if row.Key.Value == ir.OnPause && row.To.State == s {
			return unknown
		}
	}

	return m.step.data
}

// output is what is known of what the machine gives: the output of the last state, or its input.
func (m *machine) output() ir.Type {
	var types []ir.Type
	for _, state := range m.machine.States {
		if !state.End {
			types = append(types, result(state.Body, m.inputOf(state)))
		}
	}
	if m.machine.Initial.State == nil || m.machine.Initial.State.End {
		types = append(types, m.step.data)
	}

	return dynamic(same(types...))
}

func (m *machine) name() string { return m.step.task.Name.Value }

// report adds an error because of which something in the machine is missing.
func (m *machine) report(d *diag.Diagnostic) {
	m.machine.Partial = m.machine.Partial || d.Severity == diag.Error
	m.step.report(d)
}

// names are the names of the states in source order.
func (m *machine) names() []string {
	return ir.Map(m.machine.States, func(s *ir.State) string { return s.Name.Value })
}
