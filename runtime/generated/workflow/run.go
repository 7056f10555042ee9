package workflow

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
)

// Run is the common part of all runs of workflows: the effects of its steps, its context, and its
// position. Generated code embeds it and calls its methods. A Run belongs to one branch and must
// not be used by two goroutines.
type Run struct {
	fx       runtime.Effects
	workflow string
	// watched reports whether the run has an observer. Without one no events are built.
	watched bool
	// repeatable reports whether the author allows the step, or one around it, to be tried again.
	repeatable bool

	context Value
	// contextSize is how many bytes a context with a schema has as JSON, or more.
	contextSize int
	// applySchema decodes a context that follows the newest one into the struct that its schema
	// declares, and returns it with its defaults. It is nil if the context has no schema. The sizes
	// mean what contextSize means.
	applySchema func(newest, context Value, size int) (Value, int, error)
	// rules are how fields of the context combine values.
	rules []Rule
	// isBranch reports whether a branch has the run. writes are then what it has written to
	// fields with rules, the newest first.
	isBranch bool
	writes   *fieldWrite
	// answer is the newest answer of a person.
	answer   Value
	position position
	// item is the current item of the innermost [Run.Each].
	item Value
	// turn is the turn of the innermost loop, or the item of the innermost [Run.Each].
	turn turn
	// machine is the innermost one that runs; nil outside of all machines.
	machine runningMachine
	// caught is the newest failure that was handled where the run is: see [Run.CaughtError].
	caught Value
	// endState is the state in which the newest machine ended; "" if it failed.
	endState string
}

// turn is a turn of a loop, or an item of a list: its index, from 0, and how many there can be.
type turn struct{ index, count int }

// position is the state of a run within the current state of a machine. A machine inside of a state
// has positions of its own, and each state begins with a new one.
type position struct {
	// state is the current_state that was put into the context; "" if it is the state in which the
	// machine is.
	state string
	// contextNext is the next_state that was put into the context, outputNext the next_state of the
	// newest output which has one.
	contextNext, outputNext Value
	// lastStep is the newest step that succeeded.
	lastStep string
	// output and err are the result of the state.
	output Value
	err    error
	// refused are the guards of transitions for the event that did not hold, undecided the first of
	// them that is unknown. blocked reports whether a transition without a guard was not taken
	// because of that.
	refused   []runtime.GuardReason
	undecided *runtime.MissingValueError
	blocked   bool
}

// beginState makes the position that of the beginning of a state. It writes the large fields only if
// they are not empty, which is rare: every step of a machine begins here.
func (p *position) beginState() {
	isRouted := p.state != "" || !p.contextNext.IsNone() || !p.outputNext.IsNone()
	if isRouted {
		*p = position{}
		return
	}
	p.forgetGuards()
	p.lastStep, p.output, p.err = "", Value{}, nil
}

// forgetGuards forgets the recorded guards, before those of another event are tried.
func (p *position) forgetGuards() {
	if p.refused != nil || p.undecided != nil {
		p.refused, p.undecided, p.blocked = nil, nil, false
	}
}

// Start returns a run of the named workflow with these effects. Its context is an empty object: see
// [Run.Begin].
func Start(fx runtime.Effects, workflow string) Run {
	return Run{fx: fx, workflow: workflow, watched: fx.Watched(), context: Object()}
}

// Fx returns the effects of the run.
func (r *Run) Fx() runtime.Effects { return r.fx }

// baseRun returns the run in a type that embeds it.
func (r *Run) baseRun() *Run { return r }

// embedsRun is a pointer to a type of generated code that embeds a Run.
type embedsRun[R any] interface {
	*R
	baseRun() *Run
	Bind()
}

// RecordOutput records the value of a step.
func (r *Run) RecordOutput(step string, value Value) {
	r.position.lastStep = step
	if value.Kind() == kindObject {
		if next := value.Get(nextState); next.Kind() == kindText {
			r.position.outputNext = next
		}
	}
	if r.watched {
		text, isJSON := value.finishText()
		r.fx.Note(event.Event{Kind: event.Step, Agent: r.workflow, Name: step, Value: text, JSON: isJSON})
	}
}

// Finish ends the run with the value of its steps, under the key done. With an error the finish has
// nothing but the context at that time, and in an end state that is a failure its key.
func (r *Run) Finish(value Value, err error) (runtime.Finish, error) {
	return r.finishRun("done", value, err)
}

// FinishMachine ends the run whose last step was a machine: its key is the state in which the
// machine ended, or done if it failed and another step ran in its place.
func (r *Run) FinishMachine(value Value, err error) (runtime.Finish, error) {
	if r.endState == "" {
		return r.Finish(value, err)
	}

	return r.finishRun(r.endState, value, err)
}

func (r *Run) finishRun(key string, value Value, err error) (runtime.Finish, error) {
	fin := runtime.Finish{}
	if r.context.Len() > 0 {
		fin.Context = r.context.JSON()
	}
	if err != nil {
		var end *runtime.EndStateError
		if errors.As(err, &end) && end.Workflow == r.workflow {
			fin.Key = end.State
		}
		return fin, unwrapReported(err)
	}
	fin.Key = key
	fin.Value, fin.JSON = value.finishText()
	if r.watched {
		r.fx.Note(event.Event{Kind: event.Finish, Agent: r.workflow, Key: key, Value: fin.Value, JSON: fin.JSON})
	}

	return fin, nil
}

// finishText returns v as the value of a finish: text as it is, none as an empty text, anything
// else as JSON.
func (v Value) finishText() (text string, isJSON bool) {
	switch v.Kind() {
	case kindNone:
		return "", false
	case kindText:
		return v.text, false
	}

	return v.JSON(), true
}

// InState sets the position of the run to the beginning of a state. It is for simulations without a
// [Machine], which does so itself.
func (r *Run) InState(state string) { r.position = position{state: state} }

// ResultOf returns the result of an agent as a value.
func (*Run) ResultOf(fin runtime.Finish, err error) (Value, error) {
	switch {
	case err != nil:
		return Value{}, reportedError{err}
	case !fin.JSON:
		return Text(fin.Value), nil
	}

	return Parse([]byte(fin.Value))
}
