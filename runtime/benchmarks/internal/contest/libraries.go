package contest

import (
	"context"

	"github.com/looplab/fsm"
	"github.com/qmuntal/stateless"
)

// Looplab returns the walk of a github.com/looplab/fsm machine without callbacks. It returns the last state's name.
func Looplab(m Machine) func(walk []string) (string, error) {
	first := m.States[0].Name
	machine := looplab(m)
	ctx := context.Background()

	return func(walk []string) (string, error) {
		machine.SetState(first)
		for _, key := range walk {
			if err := machine.Event(ctx, key); err != nil {
				return "", err
			}
		}

		return machine.Current(), nil
	}
}

// looplab is a machine in its first state.
func looplab(m Machine) *fsm.FSM {
	var events fsm.Events
	for _, state := range m.States {
		for _, row := range state.Rows {
			events = append(events, fsm.EventDesc{Name: row.Key, Src: []string{state.Name}, Dst: m.States[row.To].Name})
		}
	}

	return fsm.NewFSM(m.States[0].Name, events, fsm.Callbacks{})
}

// permit gives a machine whose states are ints from zero its rows.
func permit(machine *stateless.StateMachine, m Machine) {
	for i, state := range m.States {
		configured := machine.Configure(i)
		for _, row := range state.Rows {
			configured.Permit(row.Key, row.To)
		}
	}
}

// Stateless returns the walk of a github.com/qmuntal/stateless machine without actions, whose states are ints from zero. It
// returns the last state's name.
func Stateless(m Machine) func(walk []string) (string, error) {
	current := 0
	machine := stateless.NewStateMachineWithExternalStorage(
		func(context.Context) (stateless.State, error) { return current, nil },
		func(_ context.Context, state stateless.State) error {
			current = state.(int)
			return nil
		}, stateless.FiringImmediate)
	permit(machine, m)

	return func(walk []string) (string, error) {
		current = 0
		for _, key := range walk {
			if err := machine.Fire(key); err != nil {
				return "", err
			}
		}

		return m.States[current].Name, nil
	}
}
