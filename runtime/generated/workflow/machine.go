package workflow

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Event is the result of a state's steps, by which its machine chooses the next state.
type Event string

// The events for which there are transitions.
const (
	Success Event = "success"
	Failure Event = "failure"
	// Pause is a person's answer to a step of a state, if a transition leaves the state for it.
	Pause Event = "pause"
)

// matchNextState is how a state was found that next_state names.
const matchNextState rt.Match = "next-state"

// Machine is the memory of one run of a state machine. Generated code calls Enter for a state,
// RecordOutput with the result of its steps, and Take for a transition, and alone decides which
// state is next. The name of a state is only computed where it is needed: in events, errors, and
// current_state.
type Machine[S state] struct {
	run      *Run
	name     string
	parse    func(string) (S, error)
	maxSteps int
	steps    int
	// state is the one whose steps run or have run.
	state S
	// input is what the machine was given, given what the next state is.
	input, given Value
	err          error
	event        Event
	// outer is the place of the machine itself, around the machine that it is in.
	outer  place
	around current
	// visits is nil without an observer: only events have it.
	visits map[S]int
}

// state is the type of the states of a machine.
type state interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
}

// current is a machine, of whatever states, in one of which it is.
type current interface{ current() string }

func (m *Machine[S]) current() string { return m.state.String() }

// NewMachine starts a machine with the name of its step, which may run at most maxSteps states.
// parse finds a state by its name.
func NewMachine[S state](r *Run, name string, maxSteps int, parse func(string) (S, error), input Value) *Machine[S] {
	m := &Machine[S]{
		run: r, name: name, parse: parse, maxSteps: maxSteps, input: input, given: input, outer: r.place, around: r.machine,
	}
	r.place, r.machine = place{output: input}, m
	if r.watched {
		m.visits = map[S]int{}
	}

	return m
}

// On returns a copy of the machine that goes on in a copy of its run. This is for simulations, which
// go on in several ways.
func (m Machine[S]) On(r *Run) *Machine[S] {
	m.run, r.machine = r, &m

	return &m
}

// Begin returns the state that current_state of the context names, or start if it names none. An
// unknown name is the error of the machine.
func (m *Machine[S]) Begin(start S) S {
	if m.outer.state == "" {
		return start
	}
	first, err := m.parse(m.outer.state)
	if err != nil {
		m.fail(unknownState(m.name, "", m.outer.state, namesOf(m.parse)))
	}

	return first
}

// namesOf returns the names of all states: they are numbered from 1 on.
func namesOf[S state](parse func(string) (S, error)) []string {
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
	switch {
	case m.err != nil:
		return false
	case m.steps >= m.maxSteps:
		m.fail(&runtime.StepLimitError{Machine: m.name, State: state.String(), Steps: m.maxSteps})
		return false
	}
	m.steps++
	m.state, m.run.place = state, place{}
	if m.visits != nil {
		m.visits[state]++
		m.run.fx.Note(event.Event{
			Kind: event.Enter, Agent: m.run.workflow, Machine: m.name, State: state.String(), Visit: m.visits[state],
		})
	}

	return true
}

// Input returns the input of the state: the machine's input or, after a state that was left for a
// person's answer, the answer.
func (m *Machine[S]) Input() Value { return m.given }

// RecordOutput records the result of the steps of the state.
func (m *Machine[S]) RecordOutput(output Value, err error) {
	if err != nil {
		output = m.recordFailure(err)
	} else {
		m.event = Success
	}
	m.run.place.output, m.run.place.err = output, m.err
}

// recordFailure records a state that has no output. It returns what counts as one: the answer for
// which it was left.
func (m *Machine[S]) recordFailure(err error) Value {
	if left, leaves := err.(*leave); leaves {
		m.event = Pause
		return left.answer
	}
	m.event, m.err = Failure, err
	if end := m.run.fatalError(err); end != nil {
		m.event, m.err = "", end // no row is for that
	}

	return Value{}
}

// Event returns the event that the steps of the state ended with. Its rows are tried next. Event
// returns "" if the run ends.
func (m *Machine[S]) Event() Event {
	m.run.place.forgetGuards()

	return m.event
}

// Follow returns the state that next_state names: that of the context or, without one, that of the
// newest output which has one. Without a next state, the machine ends: with the error of a state
// that failed; with success in a state without rows, which rowless reports; with a
// MissingValueError if something would follow only because a guard is unknown; else with a
// StalledError, which lists the guards that were recorded since [Machine.Event].
func (m *Machine[S]) Follow(rowless bool) (S, rt.Match) {
	next := m.run.place.next
	if next.isBlank() {
		next = m.run.place.named
	}
	switch {
	case m.err != nil:
		if m.event == Failure {
			m.err = m.unroutedError(withoutMark(m.err))
		}

		return 0, ""
	case m.run.place.blocked, m.run.place.undecided != nil && !next.isBlank():
		m.fail(m.undecidedError(nil))

		return 0, ""
	case next.isBlank():
		if !rowless {
			m.fail(stalledError(m.name, m.state.String(), m.event, m.run.place.refused))
		}

		return 0, ""
	}
	to, err := m.parse(next.String())
	if err != nil {
		m.fail(unknownState(m.name, m.state.String(), next.String(), namesOf(m.parse)))

		return 0, ""
	}

	return to, matchNextState
}

// unroutedError returns the error of a state that failed with err and that no transition leaves.
func (m *Machine[S]) unroutedError(err error) error {
	if m.run.place.blocked {
		return m.undecidedError(err)
	}

	return stateFailed(m.name, m.state.String(), m.run.place.refused, err)
}

// undecidedError returns the error of a state that a transition without a guard, or next_state,
// would leave only because a guard is unknown.
func (m *Machine[S]) undecidedError(err error) error {
	undecided := m.run.place.undecided
	undecided.Where = fmt.Sprintf("machine %q, state %q", m.name, m.state.String())
	undecided.Err = err

	return undecided
}

// Take records the next state, and how it was found.
func (m *Machine[S]) Take(to S, match rt.Match) {
	m.given, m.err = m.input, nil
	if m.event == Pause {
		m.given = m.run.place.output
	}
	if m.visits != nil {
		m.run.fx.Note(event.Event{
			Kind: event.Transition, Agent: m.run.workflow, Machine: m.name,
			State: m.state.String(), Key: string(m.event), Matched: string(match), To: to.String(), Visit: m.visits[m.state],
		})
	}
}

// End returns the result of a machine that ends in a state: the output of the last state that ran.
func (m *Machine[S]) End(state S) (Value, error) {
	output := m.run.place.output
	m.run.place, m.run.machine, m.run.ended = m.outer, m.around, ""
	if m.err != nil {
		return Value{}, m.err
	}
	m.run.ended = state.String()
	if m.around == nil {
		m.run.place.state = "" // where it began; it is in the state where it ended now
	}

	return output, nil
}

func (m *Machine[S]) fail(err error) {
	m.run.reportError(err)
	m.err, m.event = reported{err}, ""
}

// leave is the answer of a person for which the rest of a state is skipped. It is not a failure.
type leave struct{ answer Value }

func (*leave) Error() string { return "a person has answered, and the state is left for that" }

// Leave ends the steps of a state that a transition on pause leaves.
func (*Run) Leave(answer Value) error { return &leave{answer} }

// StepName, StepOK and Feedback are what guards can read of the last step of a state: its name,
// whether it succeeded, and the text of its error.
func (r *Run) StepName() Value {
	if failed, isStep := withoutMark(r.place.err).(*stepError); isStep {
		return Text(failed.Step)
	}
	if r.place.step == "" {
		return Value{}
	}

	return Text(r.place.step)
}

// StepOK: see [Run.StepName].
func (r *Run) StepOK() bool { return r.place.err == nil }

// Feedback: see [Run.StepName].
func (r *Run) Feedback() Value {
	if r.place.err == nil {
		return Value{}
	}

	return Text(withoutMark(r.place.err).Error())
}

// Result returns the result of the state.
func (r *Run) Result() Value { return r.place.output }
