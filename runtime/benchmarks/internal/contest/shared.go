package contest

import (
	"context"
	"sync"

	"github.com/qmuntal/stateless"
)

// Busy returns a machine of n states, n at least 2, each of which takes all of the keys, so that many can fire at once without
// being refused. From its first state alone one more key leads on, to a terminal state.
func Busy(n int, keys []string, end string) Machine {
	m := Machine{States: make([]State, n+1)}
	for i := range n {
		m.States[i].Name = "s" + string(rune('a'+i))
		for j, key := range keys {
			m.States[i].Rows = append(m.States[i].Rows, Row{Key: key, To: (i + 1 + j%(n-1)) % n})
		}
	}
	m.States[n].Name = "over"
	m.States[0].Rows = append(m.States[0].Rows, Row{Key: end, To: n})

	return m
}

// Fired fires the keys at one machine from a number of goroutines, each of which fires its part of them; from one goroutine right
// here. A key that is refused is an error.
func Fired(keys []string, goroutines int, fire func(key string) error) error {
	if goroutines == 1 {
		return fireAll(keys, fire)
	}
	part := len(keys) / goroutines

	return Together(goroutines, func(i int) error { return fireAll(keys[i*part:(i+1)*part], fire) })
}

func fireAll(keys []string, fire func(key string) error) error {
	for _, key := range keys {
		if err := fire(key); err != nil {
			return err
		}
	}

	return nil
}

// LooplabFire is what fires a key of one github.com/looplab/fsm machine, which locks itself.
func LooplabFire(m Machine) func(key string) error {
	machine := looplab(m)
	ctx := context.Background()

	return func(key string) error { return machine.Event(ctx, key) }
}

// StatelessFire is what fires a key of one github.com/qmuntal/stateless machine, which keeps its state itself and locks it.
func StatelessFire(m Machine) func(key string) error {
	machine := stateless.NewStateMachineWithMode(0, stateless.FiringImmediate)
	permit(machine, m)
	var mutex sync.Mutex // what it locks is the state, and not the step

	return func(key string) error {
		mutex.Lock()
		defer mutex.Unlock()

		return machine.Fire(key)
	}
}

// StatelessGuardedFire is StatelessFire for a machine each of whose transitions has a guard that holds.
func StatelessGuardedFire(m Machine) func(key string) error {
	machine := stateless.NewStateMachineWithMode(0, stateless.FiringImmediate)
	holds := func(context.Context, ...any) bool { return true }
	for i, state := range m.States {
		configured := machine.Configure(i)
		for _, row := range state.Rows {
			configured.Permit(row.Key, row.To, holds)
		}
	}
	var mutex sync.Mutex // what it locks is the state, and not the step

	return func(key string) error {
		mutex.Lock()
		defer mutex.Unlock()

		return machine.Fire(key)
	}
}
