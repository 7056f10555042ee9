package workflow

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Event is the result of a state's steps, by which its machine chooses the next state. 0 is the
// event of a run that ends, for which there are no transitions.
type Event uint8

// The events for which there are transitions.
const (
	Success Event = iota + 1
	Failure
	// Pause is a person's answer to a step of a state, if a transition leaves the state for it.
	Pause
)

// String returns the event as transitions name it, or "" for 0.
func (e Event) String() string { return [...]string{"", "success", "failure", "pause"}[e] }

// Rows are the transitions of a machine without guards, by state and event. An event with guards
// has no row here: generated code tries its transitions one by one.
type Rows[S state] [][Pause + 1]Row[S]

// Row is the transition of a state for an event. The zero Row is none.
type Row[S state] struct {
	To S
	// FromAny reports whether the transition is one from every state.
	FromAny bool
}

// Find returns the target of the row for a state and an event, and how the row was found. It returns
// 0 and "" if there is none.
func (rows Rows[S]) Find(state S, on Event) (S, rt.Match) {
	if int(state) >= len(rows) {
		return 0, ""
	}
	row := rows[state][on]
	switch {
	case row.To == 0:
		return 0, ""
	case row.FromAny:
		return row.To, rt.MatchCatchAll
	}

	return row.To, rt.MatchExact
}

// matchNextState is how a state was found that next_state names.
const matchNextState rt.Match = "next-state"

// Machine is the memory of one run of a state machine. Generated code calls Enter for a state,
// RecordOutput with the result of its steps, and RecordTransition, and alone decides which
// state is next. The name of a state is only computed where it is needed: in events, errors, and
// current_state.
type Machine[S state] struct {
	run      *Run
	name     string
	parse    func(string) (S, error)
	maxSteps int
	steps    int
	// state is the state whose steps run or have run.
	state S
	// input is the input of the machine, stateInput the input of the next state.
	input, stateInput Value
	// hasAnswer reports whether stateInput is the answer of a person.
	hasAnswer bool
	err       error
	event     Event
	// outerPosition is the position of the machine's own step, outerMachine the machine around it.
	outerPosition position
	outerMachine  runningMachine
	// outerCaught is the failure that was handled around the machine.
	outerCaught Value
	// visits is nil without an observer: only events have it.
	visits map[S]int
}

// state is the type of the states of a machine.
type state interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
}

// runningMachine is a machine of any type of states.
type runningMachine interface{ stateName() string }

func (m *Machine[S]) stateName() string { return m.state.String() }

// NewMachine starts a machine with the name of its step, which may run at most maxSteps states.
// parse finds a state by its name.
func NewMachine[S state](r *Run, name string, maxSteps int, parse func(string) (S, error), input Value) *Machine[S] {
	m := &Machine[S]{
		run: r, name: name, parse: parse, maxSteps: maxSteps, input: input, stateInput: input, outerPosition: r.position, outerMachine: r.machine,
		outerCaught: r.caught,
	}
	r.position, r.machine = position{output: input}, m
	if r.watched {
		m.visits = map[S]int{}
	}

	return m
}

// On returns a copy of the machine for r, which is a copy of its run. It is for simulations, which
// continue in several ways.
func (m Machine[S]) On(r *Run) *Machine[S] {
	m.run, r.machine = r, &m

	return &m
}

// Begin returns the state that current_state of the context names, or start if it names none. An
// unknown name is the error of the machine.
func (m *Machine[S]) Begin(start S) S {
	if m.outerPosition.state == "" {
		return start
	}
	first, err := m.parse(m.outerPosition.state)
	if err != nil {
		m.fail(unknownStateError(m.name, "", m.outerPosition.state, listStateNames(m.parse)))
	}

	return first
}

// listStateNames returns the names of all states, which are numbered from 1.
func listStateNames[S state](parse func(string) (S, error)) []string {
	var names []string
	for s := S(1); ; s++ {
		if known, err := parse(s.String()); err != nil || known != s {
			return names
		}
		names = append(names, s.String())
	}
}

// Enter announces that the steps of a state are about to run. It returns false if the machine has
// ended, or may run no more states.
func (m *Machine[S]) Enter(state S) bool {
	if m.err != nil || m.steps >= m.maxSteps {
		m.failAtLimit(state)
		return false
	}
	m.steps++
	m.state = state
	m.run.position.beginState()
	if m.visits != nil {
		m.reportEnter()
	}

	return true
}

// failAtLimit fails a machine that may run no more states, unless it has failed before.
func (m *Machine[S]) failAtLimit(state S) {
	if m.err == nil {
		m.fail(&runtime.StepLimitError{Machine: m.name, State: state.String(), Steps: m.maxSteps})
	}
}

func (m *Machine[S]) reportEnter() {
	m.visits[m.state]++
	m.run.fx.Note(event.Event{
		Kind: event.Enter, Agent: m.run.workflow, Machine: m.name, State: m.state.String(), Visit: m.visits[m.state],
	})
}

// Input returns the input of the state: the machine's input or, after a state that was left for a
// person's answer, the answer.
func (m *Machine[S]) Input() Value { return m.stateInput }

// RecordOutput records the result of the steps of the state.
func (m *Machine[S]) RecordOutput(output Value, err error) {
	m.event = Success
	if err != nil {
		output = m.recordFailure(err)
	}
	m.run.position.output = output
}

// recordFailure records a state that has no output. If the state was left for a person's answer, it
// returns the answer, which counts as its output.
func (m *Machine[S]) recordFailure(err error) Value {
	if left, leaves := err.(*leaveSignal); leaves {
		m.event = Pause
		return left.answer
	}
	if end := m.run.fatalError(err); end != nil {
		m.event, m.err = 0, end // no row is for that
	} else {
		m.event, m.err = Failure, err
		m.run.caught = DescribeError(err)
	}
	m.run.position.err = m.err

	return Value{}
}

// Next returns what rows have for the state and the event that its steps ended with: see [Rows.Find].
func (m *Machine[S]) Next(rows Rows[S]) (S, rt.Match) { return rows.Find(m.state, m.event) }

// Event returns the event that the steps of the state ended with. Its rows with guards are tried
// next. Event returns 0 if the run ends.
func (m *Machine[S]) Event() Event {
	m.run.position.forgetGuards()

	return m.event
}

// Follow returns the state that next_state names: the next_state of the context or, without one,
// that of the newest output which has one. Without a next state, the machine ends: with the error
// of a state that failed; with success in a state without rows, which rowless reports; with a
// MissingValueError if something would follow only because a guard is unknown; else with a
// StalledError, which lists the guards that were recorded since [Machine.Event].
func (m *Machine[S]) Follow(rowless bool) (S, rt.Match) {
	next := m.run.position.contextNext
	if next.isBlank() {
		next = m.run.position.outputNext
	}
	switch {
	case m.err != nil:
		if m.event == Failure {
			m.err = m.unroutedError(unwrapReported(m.err))
		}

		return 0, ""
	case m.run.position.blocked, m.run.position.undecided != nil && !next.isBlank():
		m.fail(m.undecidedError(nil))

		return 0, ""
	case next.isBlank():
		if !rowless {
			m.fail(stalledError(m.name, m.state.String(), m.event, m.run.position.refused))
		}

		return 0, ""
	}
	to, err := m.parse(next.String())
	if err != nil {
		m.fail(unknownStateError(m.name, m.state.String(), next.String(), listStateNames(m.parse)))

		return 0, ""
	}

	return to, matchNextState
}

// unroutedError returns the error of a state that failed with err and that no transition leaves.
func (m *Machine[S]) unroutedError(err error) error {
	if m.run.position.blocked {
		return m.undecidedError(err)
	}

	return stateFailedError(m.name, m.state.String(), m.run.position.refused, err)
}

// undecidedError returns the error of a state that a transition without a guard, or next_state,
// would leave only because a guard is unknown.
func (m *Machine[S]) undecidedError(err error) error {
	undecided := m.run.position.undecided
	undecided.Where = fmt.Sprintf("machine %q, state %q", m.name, m.state.String())
	undecided.Err = err

	return undecided
}

// RecordTransition records the next state and how it was found. It sets the input of that state.
func (m *Machine[S]) RecordTransition(to S, match rt.Match) {
	if m.visits != nil || m.hasAnswer || m.event != Success {
		m.recordUnusual(to, match)
	}
}

// recordUnusual does what few transitions of few runs need.
func (m *Machine[S]) recordUnusual(to S, match rt.Match) {
	m.setStateInput()
	m.err = nil
	if m.visits == nil {
		return
	}
	m.run.fx.Note(event.Event{
		Kind: event.Transition, Agent: m.run.workflow, Machine: m.name,
		State: m.state.String(), Key: m.event.String(), Matched: string(match), To: to.String(), Visit: m.visits[m.state],
	})
}

// setStateInput sets the input of the next state: the answer of a person, if the state was left for
// it, or else the input of the machine.
func (m *Machine[S]) setStateInput() {
	m.hasAnswer = m.event == Pause
	m.stateInput = m.input
	if m.hasAnswer {
		m.stateInput = m.run.position.output
	}
}

// End returns the result of a machine that ends in a state: the output of the last state that ran.
// In one of failing it is an EndStateError.
func (m *Machine[S]) End(state S, failing ...S) (Value, error) {
	if m.err == nil && slices.Contains(failing, state) {
		m.fail(&runtime.EndStateError{Workflow: m.run.workflow, Machine: m.name, State: state.String()})
	}
	output := m.run.position.output
	m.run.position, m.run.machine, m.run.endState = m.outerPosition, m.outerMachine, ""
	m.run.caught = m.outerCaught
	if m.err != nil {
		return Value{}, m.err
	}
	m.run.endState = state.String()
	if m.outerMachine == nil {
		m.run.position.state = "" // where it began; it is in the state where it ended now
	}

	return output, nil
}

func (m *Machine[S]) fail(err error) {
	m.run.reportError(err)
	m.err, m.event = reportedError{err}, 0
}

// leaveSignal is an error that is not a failure: it skips the rest of a state because of a person's
// answer.
type leaveSignal struct{ answer Value }

func (*leaveSignal) Error() string { return "a person has answered, and the state is left for that" }

// Leave ends the steps of a state that a transition on pause leaves.
func (*Run) Leave(answer Value) error { return &leaveSignal{answer} }

// StepName, StepOK and Feedback are what guards can read of the last step of a state: its name,
// whether it succeeded, and the text of its error.
func (r *Run) StepName() Value {
	if failed, isStep := unwrapReported(r.position.err).(*stepError); isStep {
		return Text(failed.Step)
	}
	if r.position.lastStep == "" {
		return Value{}
	}

	return Text(r.position.lastStep)
}

// StepOK: see [Run.StepName].
func (r *Run) StepOK() bool { return r.position.err == nil }

// Feedback: see [Run.StepName].
func (r *Run) Feedback() Value {
	if r.position.err == nil {
		return Value{}
	}

	return Text(unwrapReported(r.position.err).Error())
}

// Result returns the result of the state.
func (r *Run) Result() Value { return r.position.output }
