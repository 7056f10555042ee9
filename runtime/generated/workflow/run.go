package workflow

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
)

// Run is the common part of all runs of workflows: the effects of its steps, its context, and its
// position. Generated code embeds it and calls its methods. A Run belongs to one branch and must
// not be used by two goroutines.
type Run struct {
	fx       runtime.Effects
	workflow string
	// watched says that a caller observes: else no events are built.
	watched bool
	// repeatable says that the author allows a step, or one around it, to be tried again.
	repeatable bool

	context Value
	// declared reads a context into the struct that its schema declares, and returns it with its
	// defaults; nil: it is open.
	declared func(context Value) (Value, error)
	// answer is the newest answer of a person.
	answer Value
	place  place
	// this is the item at hand of the innermost step that runs for each one.
	this Value
	// turn is the turn of the innermost loop, or the item of the innermost step that runs for each
	// one.
	turn turn
	// machine is the innermost one that runs; nil outside of all machines.
	machine current
	// ended is the state in which the newest machine ended; "" if it failed.
	ended string
}

// turn is a turn of a loop, or an item of a list: its index, from 0, and how many there can be.
type turn struct{ index, count int }

// place is what is known at one place of a machine. A machine inside of a state has places of its
// own, and each state begins with a new one.
type place struct {
	// state is the current_state that was put into the context; "" if that is the state which the
	// machine is in.
	state string
	// next is the next_state that was put into the context, named that of the newest output which
	// has one.
	next, named Value
	// step is the newest step that went well.
	step string
	// output and err are the result of the state.
	output Value
	err    error
	// refused are the guards of transitions for the event that did not hold, undecided the first of
	// them that is unknown. blocked says that a transition without a guard is not taken for that.
	refused   []runtime.GuardReason
	undecided *runtime.MissingValueError
	blocked   bool
}

// forgetGuards begins with the guards of another event.
func (p *place) forgetGuards() { p.refused, p.undecided, p.blocked = nil, nil, false }

// Start returns a run of the named workflow with these effects. Its context is an empty object: see
// [Run.Begin].
func Start(fx runtime.Effects, workflow string) Run {
	return Run{fx: fx, workflow: workflow, watched: fx.Watched(), context: Object()}
}

// Fx returns the effects of the run.
func (r *Run) Fx() runtime.Effects { return r.fx }

// base lets the functions of this package find the run in the type that embeds it.
func (r *Run) base() *Run { return r }

// of is a pointer to a type of generated code that embeds a Run.
type of[R any] interface {
	*R
	base() *Run
	Bind()
}

// RecordOutput records the value of a step.
func (r *Run) RecordOutput(step string, value Value) {
	r.place.step = step
	if value.Kind() == kindObject {
		if next := value.Get(nextState); next.Kind() == kindText {
			r.place.named = next
		}
	}
	if r.watched {
		text, isJSON := value.finishText()
		r.fx.Note(event.Event{Kind: event.Step, Agent: r.workflow, Name: step, Value: text, JSON: isJSON})
	}
}

// Finish ends the run with the value of its steps, under the key done. Beside an error the finish
// has nothing but the context as it was then.
func (r *Run) Finish(value Value, err error) (runtime.Finish, error) {
	return r.finishRun("done", value, err)
}

// FinishMachine ends the run whose last step was a machine: its key is the state in which that
// ended, or done if it failed and another step ran in its place.
func (r *Run) FinishMachine(value Value, err error) (runtime.Finish, error) {
	if r.ended == "" {
		return r.Finish(value, err)
	}

	return r.finishRun(r.ended, value, err)
}

func (r *Run) finishRun(key string, value Value, err error) (runtime.Finish, error) {
	fin := runtime.Finish{}
	if r.context.Len() > 0 {
		fin.Context = r.context.JSON()
	}
	if err != nil {
		return fin, withoutMark(err)
	}
	fin.Key = key
	fin.Value, fin.JSON = value.finishText()
	if r.watched {
		r.fx.Note(event.Event{Kind: event.Finish, Agent: r.workflow, Key: key, Value: fin.Value, JSON: fin.JSON})
	}

	return fin, nil
}

// finishText returns v as the value of a finish: text as it is, none as no text, anything else as
// JSON.
func (v Value) finishText() (text string, isJSON bool) {
	switch v.Kind() {
	case kindNone:
		return "", false
	case kindText:
		return v.text, false
	}

	return v.JSON(), true
}

// InState puts the run at the beginning of the steps of a state. A [Machine] does so itself: this
// is for simulations without one.
func (r *Run) InState(state string) { r.place = place{state: state} }

// ResultOf returns the result of an agent as a value.
func (*Run) ResultOf(fin runtime.Finish, err error) (Value, error) {
	switch {
	case err != nil:
		return Value{}, reported{err}
	case !fin.JSON:
		return Text(fin.Value), nil
	}

	return Parse([]byte(fin.Value))
}
