package live

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// state is what generated states are: a number above 0 with a name. 0 is the state of a machine
// that has ended by ~.
type state interface {
	~uint8 | ~uint16 | ~uint32
	// String returns the name; "" for 0.
	String() string
}

// Spec describes a kind of live machines. Generated code builds it; it must not be changed. S are
// the states and K the keys.
type Spec[S state, K ~string] struct {
	// Name is the name of the agent, and Shape a hash over the machine.
	Name, Shape string
	Initial     S

	// Plain reports that Next alone decides: there are no guards, access rules or timers, and no
	// transitions for every key.
	Plain bool
	// Next is the table of a machine without guards, Guarded that of one with guards; the other one
	// is nil. A machine with guards counts visits.
	Next    func(s S, key K) (next S, ok bool)
	Guarded func(s S, key K, judge *rt.Judge) (next S, ok bool)
	// States is the number of states of a machine with guards. Values reports that a guard reads
	// the values with which keys were fired.
	States int
	Values bool
	// Canonical returns the key of a transition, and how it matched.
	Canonical func(s S, key string) (K, rt.Match)
	// Keys returns the keys of the transitions in s; nil if none has one.
	Keys func(s S) []K
	// Parse finds a state by its name.
	Parse func(name string) (S, error)
	// Ends reports that a transition leads to ~.
	Ends bool

	// Access are the access rules; without any, every agent may fire every key.
	Access []Access[S]
	// Enter and Exit are the names that belong to entering and leaving states.
	Enter, Exit map[S][]string
	Timers      map[S]Timer[K]
	// Signals are the rules of the file.
	Signals []signals.Rule
	// Renames are the states that have older names in snapshots.
	Renames map[string]S
}

// Access allows an agent, or forbids it with Deny, to fire keys in states. Agent "*" is every
// agent; no states, or no keys, mean all.
type Access[S state] struct {
	Agent  string
	Deny   bool
	States []S
	// Keys are folded.
	Keys []string
}

// mayFire reports whether agent may fire key in s. What denies counts more than what allows, and
// what no rule allows is denied.
func (spec *Spec[S, K]) mayFire(s S, agent string, key K) bool {
	if len(spec.Access) == 0 {
		return true
	}
	allowed, folded := false, wording.Fold(string(key))
	for _, rule := range spec.Access {
		isOfAgent := rule.Agent == "*" || rule.Agent == agent
		isOfState := rule.States == nil || slices.Contains(rule.States, s)
		isOfKey := rule.Keys == nil || slices.Contains(rule.Keys, folded)
		covers := isOfAgent && isOfState && isOfKey
		if covers && rule.Deny {
			return false
		}
		allowed = allowed || covers
	}

	return allowed
}

// Timer fires a key when a machine has been in a state for some time.
type Timer[K ~string] struct {
	After time.Duration
	Fire  K
}

// matchKey returns the key of the row that key finds in s, and how. A key for which there is none
// is returned as it is.
func (spec *Spec[S, K]) matchKey(s S, key K) (K, rt.Match) {
	if s == 0 {
		return key, ""
	}

	return spec.Canonical(s, string(key))
}

// validKeys returns the keys of the rows in s.
func (spec *Spec[S, K]) validKeys(s S) []string {
	if spec.Keys == nil {
		return nil
	}

	return wording.Texts(spec.Keys(s))
}
