package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
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
	found := ir.Where(stepsOf(steps), func(n *yamldoc.Node) bool {
		kind, _ := n.Value("kind").Scalar()
		return kind == kindMachine
	})
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
	for _, entry := range s.node.Value("transitions").Elements() {
		m.addRow(entry)
	}
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
	if slices.ContainsFunc(m.machine.Rows(), func(row *ir.Row) bool { return row.Key.Value == ir.OnPause && row.To.State == s }) {
		return unknown
	}

	return m.step.data
}

// output is what is known of what the machine gives: the output of the last state, or its input.
func (m *machine) output() ir.Type {
	working := ir.Where(m.machine.States, func(state *ir.State) bool { return !state.End })
	types := ir.Map(working, func(state *ir.State) ir.Type { return result(state.Body, m.inputOf(state)) })
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

// addRow lowers a row of a machine. One that does not fit the schema is left out.
func (m *machine) addRow(n *yamldoc.Node) {
	on := frontend.Text(n.Value("on"))
	row := &ir.Row{Span: n.Span, Key: on, From: m.from(frontend.Text(n.Value("from"))), To: m.to(frontend.Text(n.Value("to")))}
	if !slices.Contains(ir.Events, on.Value) || row.From.Value == "" || row.To.Value == "" {
		m.machine.Partial = true
		return
	}
	m.machine.Add(row)
	if when := textIn(n.Value("when")); when.Value != "" {
		m.step.later = append(m.step.later, func() {
			formula := m.step.formula(when, m.guard(row), expr.Condition)
			if formula == nil {
				m.machine.Partial = true
				return
			}
			row.When = &ir.Guard{Text: formula.Text, Formula: formula}
		})
	}
}

// from resolves the state that a row leads from: one that has steps, or "*".
func (m *machine) from(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll || m.written[name.Value] {
		return ir.Ref{Text: name, State: m.states[name.Value]}
	}
	m.dangles()

	return ir.Ref{Text: name}
}

// dangles notes a name that no state has; analysis reports it.
func (m *machine) dangles() { m.machine.Partial, m.step.document.faulty = true, true }

// to resolves the state that a row leads to, or with which the machine starts.
func (m *machine) to(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll {
		m.report(diag.New(diag.BadValue, name.Span, "%q is not a state: a row leads to one", name.Value))
	}
	ref := ir.Ref{Text: name, State: m.states[name.Value]}
	if ref.State == nil && name.Value != "" {
		m.dangles()
	}

	return ref
}

// guard is what the guard of a row sees: output, which is also called previous_step, says how the state came out.
func (m *machine) guard(row *ir.Row) *expr.Scope {
	at, last := m.behind(row)
	s := m.step.scope(at)
	outcome := []expr.Name{
		{Name: "event", Value: &ir.Access{Root: ir.RootEvent, Type: eventType}},
		{Name: "last_output", Value: last},
		{Name: "last_step", Members: []expr.Name{
			{Name: "name", Value: &ir.Access{Root: ir.RootStepName, Type: textType, Maybe: true}},
			{Name: "success", Value: &ir.Access{Root: ir.RootStepOK, Type: truthType, Maybe: true}},
			{Name: "feedback", Value: &ir.Access{Root: ir.RootFeedback, Type: textType, Maybe: true}},
		}},
	}
	s.Names[previousStep] = expr.Name{Name: "previous_step", Members: outcome}
	s.Names = append(s.Names, expr.Name{Name: "output", Members: outcome})

	return s
}

var eventType = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"success"`, `"failure"`, `"pause"`}}}

// behind returns the place of a row, and the output of the step that ran last before it. Only behind a state that went
// well all its steps have run.
func (m *machine) behind(row *ir.Row) (spot, *ir.Access) {
	if f := m.frames[row.From.State]; f != nil && row.Key.Value == ir.OnSuccess {
		end := endOf(f)
		return end, resultAt(end)
	}

	return m.step.behind(), &ir.Access{Root: ir.RootResult, Maybe: true}
}
