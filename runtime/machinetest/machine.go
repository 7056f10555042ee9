package machinetest

import "fmt"

// T is the part of *testing.T that a check uses.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Any means every state or, as an event, for every event for which the state has no other row.
const Any = "*"

// Row is a state, an event or key, the next state or "" if the machine ends, and the guard if there is one. It is an
// array so that a table is short.
type Row [4]string

// State is the generated type of the states of a machine, which are numbered from 1; 0 is the state of a machine that
// has ended.
type State interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
	Terminal() bool
}

// Machine is a machine as its source defines it, and the code to compare with it.
type Machine[S State] struct {
	// States are all states in source order, and Ends those in which the machine ends.
	States, Ends []string
	// Rows are in the order in which they are tried.
	Rows []Row
	// Decides reports that guards decide themselves: Next does not call holds.
	Decides bool
	// Keys returns the keys of a state's rows, in the order in which models receive them; nil if no model chooses.
	Keys func(s S) []string
	// Parse finds a state by its name.
	Parse func(name string) (S, error)
	// Next returns the next state for an event; holds answers the guards, and ok is false if there is no next state.
	// It is nil in a machine without rows.
	Next func(s S, event string, holds func(guard string) bool) (next S, ok bool)
}

// Texts returns keys of a generated type as strings.
func Texts[K ~string](keys []K) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	return texts
}
