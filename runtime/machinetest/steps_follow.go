package machinetest

import (
	"errors"
	"slices"

	"github.com/agentc-dev/agentc/runtime/workflow"
)

// follows asks which state next_state leads to: each by its name, and none by another text, which is refused.
func (a *stepAsker[S]) follows() {
	a.t.Helper()
	for i, name := range a.States {
		if to, err := a.follow(name); to != S(i+1) || err != nil {
			a.problem("next_state %q leads to %q: %v", name, to, err)
		}
	}
	for _, name := range []string{"no such state", "\xff", "0"} {
		to, err := a.follow(name)
		var unknown *workflow.UnknownStateError
		refused := errors.As(err, &unknown) && unknown.Machine == a.Name && unknown.Name == name && slices.Equal(unknown.States, a.States)
		if !refused && !slices.Contains(a.States, name) {
			a.problem("next_state %q leads to %q: %v", name, to, err)
		}
	}
}

// follow returns the state that follows on one whose steps put a name into next_state.
func (a *stepAsker[S]) follow(name string) (S, error) {
	r := workflow.Start(&stepDoor{}, a.Name)
	m := workflow.NewMachine(&r, a.Name, 1, a.ParseState, workflow.None)
	m.Enter(1)
	if err := r.SetContext(workflow.Text(name), nextState); err != nil {
		return 0, err
	}
	m.Did(workflow.None, nil)
	to, _ := m.Follow(nil)
	_, err := m.End(1, false)

	return to, err
}

// nextState is the name under which steps say where the machine goes.
const nextState = "next_state"
