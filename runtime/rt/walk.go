package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Walk is the memory of one run of a machine, which generated code drives: Enter a state, Did its agent, Take a row.
// It holds the result so far, counts steps against the limit and tells the observer; which state follows which is decided
// by the generated switch alone.
type Walk struct {
	fx       runtime.Effects
	machine  string
	maxSteps int
	state    string
	steps    int
	fin      runtime.Finish
	err      error
	// heard is nil in a machine without rules for signals.
	heard *hearing

	// visits is nil when nobody watches: only events tell it.
	visits map[string]int
}

// NewWalk returns a walk of the named machine that starts with input and may run at most maxSteps agents.
func NewWalk(fx runtime.Effects, machine string, maxSteps int, input string) Walk {
	w := Walk{fx: fx, machine: machine, maxSteps: maxSteps, fin: runtime.Finish{Value: input}}
	if fx.Watched() {
		w.visits = map[string]int{}
	}

	return w
}

// Listen says what signals do to the machine. Generated code that has said so asks Stopped instead of Failed.
func (w *Walk) Listen(rules ...signals.Rule) {
	w.heard = &hearing{fx: w.fx, machine: w.machine, rules: rules}
}

// Stopped is Failed for a machine that listens: it asks, at this safe point, which signals have come. One whose rule is to stop
// ends the walk with a *CancelledError; one that fires a key puts it in the place of the one that the agent finished with.
func (w *Walk) Stopped() bool {
	if w.err != nil {
		return true
	}
	key, err := w.heard.ask(w.state, true)
	if err != nil {
		w.fail(err)

		return true
	}
	if key != "" {
		w.fin.Key = key
	}

	return false
}

// Enter says that the agent of state is about to run. It reports false when the walk is over: an agent failed, or the
// limit is reached, which End then returns as *StepLimitError.
func (w *Walk) Enter(state string) bool {
	if w.err != nil {
		return false
	}
	if w.steps >= w.maxSteps {
		w.fail(&runtime.StepLimitError{Machine: w.machine, State: state, Steps: w.maxSteps})

		return false
	}

	w.steps++
	w.state = state
	w.heard.enter(state)
	if w.visits != nil {
		w.visits[state]++
		w.fx.Note(event.Event{Kind: event.Enter, Agent: w.machine, Machine: w.machine, State: state, Visit: w.visits[state]})
	}

	return true
}

// Value is the input of the state that was entered: the value of the state before, or the machine's input.
func (w *Walk) Value() string { return w.fin.Value }

// Key is the key that the last agent finished with.
func (w *Walk) Key() string { return w.fin.Key }

// Did records what the state's agent gave back.
func (w *Walk) Did(fin runtime.Finish, err error) {
	w.fin, w.err = fin, err
	w.heard.leave()
}

// Failed reports whether the last agent ended with an error.
func (w *Walk) Failed() bool { return w.err != nil }

// Take records the row that the generated switch chose; to is "" when it ends the machine. The event tells the key as the
// agent gave it, and by match how it found the row.
func (w *Walk) Take(key string, match Match, to string) { w.take(key, match, to, nil) }

// TakeJudged is Take for a row that guards were asked about; found is how the row of the key was found.
func (w *Walk) TakeJudged(j *Judge, found Match, to string) {
	w.take(j.Key, j.Match(found), to, j.Asked())
}

func (w *Walk) take(key string, match Match, to string, guards []event.Guard) {
	if w.visits == nil {
		return
	}
	if w.fin.Key != "" {
		key = w.fin.Key
	}
	w.fx.Note(event.Event{
		Kind: event.Transition, Agent: w.machine, Machine: w.machine,
		State: w.state, Key: key, Matched: string(match), To: to, Visit: w.visits[w.state], Guards: w.heard.asked(guards),
	})
}

// Reject ends the walk because the table has no row for the key; valid are the keys that it has. The error is an
// *InvalidTransitionError.
func (w *Walk) Reject(valid []string) (runtime.Finish, error) {
	w.fail(&runtime.InvalidTransitionError{Machine: w.machine, State: w.state, Key: w.fin.Key, Valid: valid})

	return w.End()
}

// Refuse ends the walk because no row can be taken for the key that guards were asked about; valid are the keys of the state.
// The error is that of [Judge.Refusal].
func (w *Walk) Refuse(j *Judge, valid []string) (runtime.Finish, error) {
	w.fail(j.Refusal(valid))

	return w.End()
}

// Last records what the agent of a terminal gave back and ends the walk.
func (w *Walk) Last(fin runtime.Finish, err error) (runtime.Finish, error) {
	w.Did(fin, err)
	if w.heard != nil && err == nil {
		if _, err := w.heard.ask(w.state, false); err != nil {
			w.fail(err)
		}
	}

	return w.End()
}

// End returns the machine's result: the last agent's, unchanged.
func (w *Walk) End() (runtime.Finish, error) {
	if w.err != nil {
		return runtime.Finish{}, w.err
	}
	if w.visits != nil {
		noteFinish(w.fx, w.machine, w.fin)
	}

	return w.fin, nil
}

func (w *Walk) fail(err error) {
	w.err = err
	noteError(w.fx, w.machine, err)
}
