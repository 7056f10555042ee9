package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// stepsForState is the default number of state runs for each state of a machine, as in the
// original.
const stepsForState = 10

// machine is a state machine during lowering.
type machine struct {
	step    *step
	machine *ir.Machine
	states  map[string]*ir.State
	frames  map[*ir.State]*frame
	// written are the states that have steps in the source.
	written map[string]bool
	// afterPause are the states to which a row for a pause leads.
	afterPause map[*ir.State]bool
}

// singleMachine returns the machine among the top steps if there is exactly one, or nil.
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

// lowerMachine lowers a machine. Its references are resolved once all its states are known.
func (s *step) lowerMachine() {
	s.lowerInput()
	m := &machine{
		step:    s,
		machine: &ir.Machine{},
		states:  map[string]*ir.State{},
		frames:  map[*ir.State]*frame{},
		written: map[string]bool{}, afterPause: map[*ir.State]bool{},
	}
	s.task.Do = m.machine
	s.machines, s.machineOf[m.machine] = append(s.machines, m), m

	states := s.node.Value("states")
	if states == nil || states.Kind != yamldoc.Map || len(states.Fields) == 0 {
		m.machine.Partial = true
		return
	}
	m.addStates(states)
	m.addEndStates(s.node.Value("end_states"))
	m.machine.Initial = m.resolveTarget(frontend.Text(s.node.Value("start_state")))
	for _, entry := range s.node.Value("transitions").Elements() {
		m.addRow(entry)
	}
	m.lowerStates(states)
	m.machine.MaxSteps = s.set.project.ReadLimit(s.node.Value("max_steps"), stepsForState*len(m.written))
	s.task.Type = m.outputType()
}

// addStates adds the states with steps.
func (m *machine) addStates(states *yamldoc.Node) {
	for _, f := range states.Fields {
		name := frontend.Key(f)
		switch {
		case name.Value == "":
			m.report(diag.New(diag.BadValue, name.Span, "a state has no name"))
		case m.states[name.Value] == nil: // a repeated key has been reported
			m.addState(name)
			m.written[name.Value] = true
		}
	}
}

func (m *machine) addState(name ir.Text) *ir.State {
	state := &ir.State{Name: name}
	m.states[name.Value] = state
	m.machine.States = append(m.machine.States, state)

	return state
}

// addEndStates marks the end states, and adds those without steps.
func (m *machine) addEndStates(n *yamldoc.Node) {
	ends := frontend.Texts(n)
	if text := frontend.Text(n); text.Value != "" {
		ends = []ir.Text{text}
	}
	for _, f := range n.Members() {
		ends = append(ends, frontend.Key(f))
	}
	for _, end := range ends {
		state := m.states[end.Value]
		switch {
		case end.Value == "": // the schema has reported it
			continue
		case state == nil:
			state = m.addState(end)
		case state.End:
			m.report(diag.New(diag.BadValue, end.Span, "end state %q is listed twice", end.Value))
			continue
		}
		state.End, state.EndAt = true, end.Span
		state.Fails = frontend.Text(n.Value(end.Value)).Value == ir.OnFailure
	}
}

// lowerStates lowers the steps of all states.
func (m *machine) lowerStates(states *yamldoc.Node) {
	for _, state := range m.machine.States {
		name := []string{state.Name.Value}
		if at := m.step.at; at.frame.kind != atTop || m.step.node != m.step.single {
			name = nestedName(at.frame.pipeline, m.step.task.Name.Value, state.Name.Value)
		}
		f := m.step.childFrame(ofState, m.inputOf(state))
		f.machine, f.state = m, state
		m.frames[state] = f
		state.Body = m.step.lowerPipeline(states.Value(state.Name.Value), f, name, "state "+state.Name.Value)
	}
}

// inputOf returns the input type of a state's first step. It is the machine's input, or unknown if
// a row for a pause leads to the state, because the input may then be a person's answer.
func (m *machine) inputOf(s *ir.State) ir.Type {
	if m.afterPause[s] {
		return unknown
	}

	return m.step.data
}

// outputType returns the type of the machine's output: the output of the last state, or its input.
func (m *machine) outputType() ir.Type {
	working := ir.Where(m.machine.States, func(state *ir.State) bool { return !state.End })
	types := ir.Map(working, func(state *ir.State) ir.Type { return resultType(state.Body, m.inputOf(state)) })
	if m.machine.Initial.State == nil || m.machine.Initial.State.End {
		types = append(types, m.step.data)
	}

	return withoutOwner(commonType(types...))
}

func (m *machine) name() string { return m.step.task.Name.Value }

// report adds a diagnostic. After an error the machine is incomplete.
func (m *machine) report(d *diag.Diagnostic) {
	m.machine.Partial = m.machine.Partial || d.Severity == diag.Error
	m.step.report(d)
}

// stateNames returns the names of the states in source order.
func (m *machine) stateNames() []string {
	return ir.Map(m.machine.States, func(s *ir.State) string { return s.Name.Value })
}

// addRow lowers a row of a machine. It skips a row that does not fit the schema.
func (m *machine) addRow(n *yamldoc.Node) {
	on := frontend.Text(n.Value("on"))
	isTimeout := on.Value == onTimeout
	if isTimeout {
		on.Value = ir.OnFailure
	}
	row := &ir.Row{Span: n.Span, Key: on, From: m.resolveSource(frontend.Text(n.Value("from"))), To: m.resolveTarget(frontend.Text(n.Value("to")))}
	if !slices.Contains(ir.Events, on.Value) || row.From.Value == "" || row.To.Value == "" {
		m.machine.Partial = true
		return
	}
	m.machine.AddRow(row)
	m.afterPause[row.To.State] = m.afterPause[row.To.State] || on.Value == ir.OnPause
	if isTimeout {
		row.When, row.IsTimeout = timeoutGuard(on.Span), true
	}
	if when := textOf(n.Value("when")); when.Value != "" {
		m.step.later = append(m.step.later, func() {
			formula := m.step.parseFormula(when, m.guardScope(row), expr.Condition)
			if formula == nil {
				m.machine.Partial = true
				return
			}
			if isTimeout {
				formula = joinFormulas(row.When.Formula, formula)
			}
			row.When = &ir.Guard{Text: formula.Text, Formula: formula}
		})
	}
}

// resolveSource resolves the state that a row leads from: a state with steps, or "*".
func (m *machine) resolveSource(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll || m.written[name.Value] {
		return ir.Ref{Text: name, State: m.states[name.Value]}
	}
	m.markIncomplete()

	return ir.Ref{Text: name}
}

// markIncomplete records an undefined name, which the checks report.
func (m *machine) markIncomplete() { m.machine.Partial, m.step.document.faulty = true, true }

// resolveTarget resolves the target of a row, or the start state.
func (m *machine) resolveTarget(name ir.Text) ir.Ref {
	if name.Value == ir.CatchAll {
		m.report(diag.New(diag.BadValue, name.Span, "%q is not a state: a row leads to one", name.Value))
	}
	ref := ir.Ref{Text: name, State: m.states[name.Value]}
	if ref.State == nil && name.Value != "" {
		m.markIncomplete()
	}

	return ref
}

// guardScope returns the scope of a row's guard. The names output and previous_step describe the
// outcome of the state.
func (m *machine) guardScope(row *ir.Row) *expr.Scope {
	at, last := m.spotOf(row)
	s := m.step.scopeAt(at)
	outcome := []expr.Name{
		{Name: "event", Value: &ir.Access{Root: ir.RootEvent, Type: eventType}},
		{Name: "last_output", Value: last},
		{Name: "last_step", Members: []expr.Name{
			{Name: "name", Value: &ir.Access{Root: ir.RootStepName, Type: textType, MayBeNone: true}},
			{Name: "success", Value: &ir.Access{Root: ir.RootStepOK, Type: truthType, MayBeNone: true}},
			{Name: "feedback", Value: &ir.Access{Root: ir.RootFeedback, Type: textType, MayBeNone: true}},
		}},
	}
	s.Names[previousStep] = expr.Name{Name: "previous_step", Members: outcome}
	s.Names = append(s.Names, expr.Name{Name: "output", Members: outcome})
	if row.Key.Value == ir.OnFailure {
		setName(s, expr.Name{Name: errorName, Value: errorAccess(false)})
	}

	return s
}

var eventType = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"success"`, `"failure"`, `"pause"`}}}

// spotOf returns the spot of a row, and the output of the last step that ran before it. All steps
// of a state have run only after its success.
func (m *machine) spotOf(row *ir.Row) (spot, *ir.Access) {
	if f := m.frames[row.From.State]; f != nil && row.Key.Value == ir.OnSuccess {
		end := endOf(f)
		return end, resultAt(end)
	}

	return m.step.afterBody(), &ir.Access{Root: ir.RootResult, MayBeNone: true}
}
