package machinetest

import "fmt"

// T is what a check needs of a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Any is, in the place of a state, every state and, in that of an event, every event for which the state has no other row.
const Any = "*"

// Row is a state, an event or key, the state that follows or "" where the machine ends, and the guard if there is one. It is an array
// so that a table is short.
type Row [4]string

// State is the generated type of the states of a machine, which are numbered from 1 on; 0 is that of a machine that has ended.
type State interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
	Terminal() bool
}

// Machine is a machine as its source has it, and the code that has to be it.
type Machine[S State] struct {
	// States are all states in the order of the source, Ends those in which the machine ends.
	States, Ends []string
	// Rows are in the order in which they are tried.
	Rows []Row
	// Decides says that guards decide by themselves: holds of Next is not called.
	Decides bool
	// Parse finds a state by its name.
	Parse func(name string) (S, error)
	// Next returns what follows on an event, guards being what holds says of them; ok is false where nothing does. It is nil in a
	// machine without rows.
	Next func(s S, event string, holds func(guard string) bool) (next S, ok bool)
}
