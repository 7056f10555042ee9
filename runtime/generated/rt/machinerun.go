package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// MachineRun is the memory of one run of a machine. Generated code calls Enter for a state,
// RecordOutput with the result of its agent, and Take for a transition. MachineRun keeps the result
// so far, counts steps against the limit and notifies the observer; the generated switch alone
// decides which state is next.
type MachineRun struct {
	fx       runtime.Effects
	machine  string
	maxSteps int
	state    string
	steps    int
	fin      runtime.Finish
	err      error
	// heard is nil in a machine without rules for signals.
	heard *hearing

	// visits is nil without an observer: only events have it.
	visits map[string]int
	// visit is how often the state was entered.
	visit int
}

// Machine returns the memory for a run of a machine that starts with input and may run at most
// maxSteps agents.
func (agent Flow) Machine(fx runtime.Effects, maxSteps int, input string) MachineRun {
	w := MachineRun{fx: fx, machine: string(agent), maxSteps: maxSteps, fin: runtime.Finish{Value: input}}
	if fx.Watched() {
		w.visits = map[string]int{}
	}

	return w
}

// Listen sets the rules for signals of the machine. Generated code that calls it calls Stopped
// instead of Failed.
func (w *MachineRun) Listen(rules ...signals.Rule) {
	w.heard = &hearing{fx: w.fx, machine: w.machine, rules: rules}
}

// ReceiveSignals is Failed for a machine with rules for signals: at this safe point it asks which signals
// have arrived. One whose rule is to stop ends the machine with a *CancelledError; one that fires a
// key replaces the key with which the agent finished.
func (w *MachineRun) ReceiveSignals() bool {
	if w.err != nil {
		return true
	}
	key, err := w.heard.askSignals(w.state, true)
	if err != nil {
		w.fail(err)

		return true
	}
	if key != "" {
		w.fin.Key = key
	}

	return false
}

// Enter announces that the agent of state is about to run. It returns false if the machine has
// ended: an agent failed, or the limit is reached, for which End returns a *StepLimitError.
func (w *MachineRun) Enter(state string) bool {
	if w.err != nil {
		return false
	}
	if w.steps >= w.maxSteps {
		w.fail(&runtime.StepLimitError{Machine: w.machine, State: state, Steps: w.maxSteps})

		return false
	}

	w.steps++
	w.state = state
	w.heard.enterState(state)
	if w.visits != nil {
		w.visit = w.visits[state] + 1
		w.visits[state] = w.visit
		w.fx.Note(event.Event{Kind: event.Enter, Agent: w.machine, Machine: w.machine, State: state, Visit: w.visit})
	}

	return true
}

// Value returns the input of the state that was entered: the value of the state before, or the
// machine's input.
func (w *MachineRun) Value() string { return w.fin.Value }

// Key returns the key with which the last agent finished.
func (w *MachineRun) Key() string { return w.fin.Key }

// RecordOutput records the result of the state's agent.
func (w *MachineRun) RecordOutput(fin runtime.Finish, err error) {
	w.fin, w.err = fin, err
	w.heard.leaveState()
}

// Failed reports whether the last agent ended with an error.
func (w *MachineRun) Failed() bool { return w.err != nil }

// RecordTransition records the transition that the generated switch chose; to is "" if it ends the machine. The
// event has the key as the agent wrote it, and match is how it was found.
func (w *MachineRun) RecordTransition(key string, match Match, to string) {
	w.takeRow(key, match, to, nil)
}

// RecordJudgedTransition is Take for a transition with guards; found is how its key was found.
func (w *MachineRun) RecordJudgedTransition(j *Judge, found Match, to string) {
	w.takeRow(j.Key, j.Match(found), to, j.Asked())
}

func (w *MachineRun) takeRow(key string, match Match, to string, guards []event.Guard) {
	if w.visits == nil {
		return
	}
	if w.fin.Key != "" {
		key = w.fin.Key
	}
	w.fx.Note(event.Event{
		Kind: event.Transition, Agent: w.machine, Machine: w.machine,
		State: w.state, Key: key, Matched: string(match), To: to, Visit: w.visit, Guards: w.heard.withSignalGuards(guards),
	})
}

// Reject ends the machine because the table has no transition for the key; valid are the keys that
// it has. The error is an *InvalidTransitionError.
func (w *MachineRun) Reject(valid []string) (runtime.Finish, error) {
	w.fail(&runtime.InvalidTransitionError{Machine: w.machine, State: w.state, Key: w.fin.Key, Valid: valid})

	return w.End()
}

// RejectByGuards ends the machine because guards allow no transition for the key; valid are the
// keys of the state. The error comes from [Judge.Refusal].
func (w *MachineRun) RejectByGuards(j *Judge, valid []string) (runtime.Finish, error) {
	w.fail(j.Refusal(valid))

	return w.End()
}

// FinishWith records the result of the agent of a terminal state and ends the machine.
func (w *MachineRun) FinishWith(fin runtime.Finish, err error) (runtime.Finish, error) {
	w.RecordOutput(fin, err)
	if w.heard != nil && err == nil {
		if _, err := w.heard.askSignals(w.state, false); err != nil {
			w.fail(err)
		}
	}

	return w.End()
}

// End returns the machine's result: that of the last agent, unchanged.
func (w *MachineRun) End() (runtime.Finish, error) {
	if w.err != nil {
		return runtime.Finish{}, w.err
	}
	if w.visits != nil {
		noteFinish(w.fx, w.machine, &w.fin)
	}

	return w.fin, nil
}

func (w *MachineRun) fail(err error) {
	w.err = err
	noteError(w.fx, w.machine, err)
}
