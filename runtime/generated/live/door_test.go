package live_test

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// doorState, and what belongs to it, is as generated code has it: a machine with a lock.
type doorState uint8

const (
	closed doorState = iota + 1
	opened
	locked
	broken
)

var doorNames = []string{"", "closed", "opened", "locked", "broken"}

func (s doorState) String() string { return doorNames[s] }

func parseDoor(name string) (doorState, error) {
	if i := slices.Index(doorNames, name); i > 0 {
		return doorState(i), nil
	}

	return 0, &rt.UnknownNameError{Machine: "door", Kind: "state", Name: name}
}

type doorKey string

func (s doorState) Next(key doorKey) (next doorState, ok bool) {
	switch s {
	case closed:
		switch key {
		case "open":
			return opened, true
		case "lock":
			return locked, true
		}
	case opened:
		switch key {
		case "close":
			return closed, true
		case "Slam":
			return locked, true
		}
	case locked:
		switch key {
		case "unlock":
			return closed, true
		case "break":
			return broken, true
		}
	}

	return 0, false
}

func (s doorState) Keys() []doorKey {
	return [][]doorKey{nil, {"open", "lock"}, {"close", "Slam"}, {"unlock", "break"}, nil}[s]
}

func (s doorState) CanonicalKey(answer string) (doorKey, rt.Match) {
	for _, key := range s.Keys() {
		if string(key) == answer {
			return key, rt.MatchExact
		}
	}
	for _, key := range s.Keys() {
		if wording.Fold(string(key)) == wording.Fold(answer) {
			return key, "folded"
		}
	}

	return doorKey(answer), ""
}

type (
	door     = live.Machine[doorState, doorKey]
	doorSpec = live.Spec[doorState, doorKey]
)

// history returns an option of newDoor that keeps steps.
func history(n int) func(*door) { return func(m *door) { m.KeepHistory(n) } }

// routes returns an option of newDoor that sets rules for signals.
func routes(r *drive.Routes) func(*door) { return func(m *door) { m.SetRoutes(r) } }

// newDoor returns a door; changed, if it is not nil, changes what all doors have in common.
func newDoor(changed func(*doorSpec), options ...func(*door)) *door {
	spec := doorSpec{
		Name: "door", Shape: "d", Initial: closed, Plain: true,
		Next: doorState.Next, Canonical: doorState.CanonicalKey, Keys: doorState.Keys, Parse: parseDoor,
	}
	if changed != nil {
		changed(&spec)
	}
	m := &door{}
	live.Start(m, &spec, nil)
	for _, option := range options {
		option(m)
	}

	return m
}

// newTimed returns a door that closes by itself, and what moves its clock. The lock gives way two minutes later.
func newTimed() (*door, *time.Time) {
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m := &door{}
	live.Start(m, &doorSpec{
		Name: "door", Shape: "t", Initial: closed,
		Next: doorState.Next, Canonical: doorState.CanonicalKey, Keys: doorState.Keys, Parse: parseDoor,
		Timers: map[doorState]live.Timer[doorKey]{opened: {30 * time.Second, "close"}, locked: {2 * time.Minute, "break"}},
		Access: []live.Access[doorState]{{Agent: "guest"}, {Agent: "*", Deny: true, Keys: []string{"close"}}},
	}, nil)
	m.SetClock(func() time.Time { return clock })

	return m, &clock
}
