package machinetest

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

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

// Keys returns the Keys of a machine from the method of its states.
func Keys[S State, K ~string](keys func(s S) []K) func(s S) []string {
	return func(s S) []string { return wording.Texts(keys(s)) }
}

// ByKey returns the Next of a machine whose rows have keys, from the methods of its states. White space around a key makes
// CanonicalKey look for it among the keys of the state.
func ByKey[S State, K ~string](
	canonical func(s S, answer string) (K, rt.Match), next func(s S, key K) (S, bool),
) func(s S, event string, holds func(string) bool) (S, bool) {
	return func(s S, event string, _ func(string) bool) (S, bool) {
		key, _ := canonical(s, " "+event)

		return next(s, key)
	}
}

// ByGuardedKey is ByKey for a machine with guards; states is the number of its states.
func ByGuardedKey[S State, K ~string](
	states int, canonical func(s S, answer string) (K, rt.Match), next func(s S, key K, judge *rt.Judge) (S, bool),
) func(s S, event string, holds func(string) bool) (S, bool) {
	return func(s S, event string, holds func(string) bool) (S, bool) {
		key, _ := canonical(s, " "+event)
		judge := &rt.Judge{Visits: make([]int64, states+1), Values: make([]string, states+1), Suppose: holds}
		judge.Begin(int(s), s.String(), string(key), "")

		return next(s, key, judge)
	}
}

// ByEvent returns the Next of a machine of a workflow, from the functions that find its rows, in the order in which they
// are called.
func ByEvent[S State, E event](
	finds ...func(s S, on E) (S, rt.Match),
) func(s S, event string, holds func(string) bool) (S, bool) {
	return func(s S, event string, _ func(string) bool) (S, bool) {
		on := parseEvent[E](event)
		for _, find := range finds {
			if to, match := find(s, on); match != "" {
				return to, true
			}
		}

		return 0, false
	}
}

// event is the type of the events of workflows.
type event interface {
	~uint8
	fmt.Stringer
}

// parseEvent returns the event with a name, and 0 for any other text.
func parseEvent[E event](name string) E {
	for _, on := range []E{1, 2, 3} {
		if on.String() == name {
			return on
		}
	}

	return 0
}
