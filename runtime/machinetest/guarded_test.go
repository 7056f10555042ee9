package machinetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// A machine with guards as agentc writes one: its transition function is that of the test at hand.

type doorState uint8

const (
	doorShut doorState = iota + 1
	doorAjar
)

type doorKey string

func (s doorState) String() string {
	return map[doorState]string{doorShut: "shut", doorAjar: "ajar"}[s]
}
func (s doorState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *doorState) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*s = 0

		return nil
	}
	*s, err = parseDoor(string(text))

	return err
}

func (s doorState) Terminal() bool { return s == 0 || s == doorAjar }

func (s doorState) Keys() []doorKey {
	if s == doorShut {
		return []doorKey{"open"}
	}

	return nil
}

func (s doorState) CanonicalKey(answer string) (doorKey, rt.Match) {
	switch {
	case s != doorShut:
		return doorKey(answer), rt.MatchNone
	case answer == "open":
		return "open", rt.MatchExact
	case wording.Fold(answer) == "open":
		return "open", rt.MatchFolded
	}

	return doorKey(answer), rt.MatchCatchAll
}

func parseDoor(text string) (doorState, error) {
	for _, s := range []doorState{doorShut, doorAjar} {
		if s.String() == text {
			return s, nil
		}
	}

	return 0, &rt.UnknownNameError{Machine: "door", Kind: "state", Name: text}
}

// doorNext is the transition function: open asks high before low and not locked, and everything else leads back unless sealed.
func doorNext(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
	if s != doorShut {
		return 0, false
	}
	if key == "open" {
		if j.Holds("visits.shut > 3", false, isFalse) {
			return doorAjar, true
		}
		if j.Ask("low") {
			return 0, true
		}
		if j.AskNot("locked") {
			return doorAjar, true
		}
	}
	if j.Ask("sealed") {
		return doorAjar, true
	}

	return doorShut, j.CatchAll()
}

func checkDoor(t machinetest.T, next func(doorState, doorKey, *rt.Judge) (doorState, bool)) {
	machinetest.CheckGuarded(t, machinetest.Guarded[doorKey, doorState]{
		Name: "door", Initial: "shut",
		Table: machinetest.GuardedTable{"shut": {
			{"open", machinetest.End, "low"},
			{"open", "ajar", "visits.shut > 3", "10"},
			{"open", "ajar", "not locked"},
			{"*", "ajar", "sealed", "1"},
			{"*", "shut"},
		}},
		Markers: []string{"ajar"},
		Last:    doorAjar, ParseState: parseDoor,
		Next: func(s doorState, key doorKey, prepare func(*rt.Judge)) (doorState, bool) {
			j := &rt.Judge{Machine: "door"}
			prepare(j)

			return next(s, key, j)
		},
	})
}

// told keeps what a check says.
type told struct{ problems []string }

func (*told) Helper()             {}
func (*told) Logf(string, ...any) {}
func (p *told) Errorf(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

func TestCheckGuarded(t *testing.T) { checkDoor(t, doorNext) }

// TestCheckGuardedFinds has a transition function with one fault after the other.
func TestCheckGuardedFinds(t *testing.T) {
	type function = func(doorState, doorKey, *rt.Judge) (doorState, bool)
	for fault, c := range map[string]struct {
		next function
		says string
	}{
		"the order is another": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			if s == doorShut && key == "open" && j.Ask("low") {
				return 0, true
			}

			return doorNext(s, key, j)
		}, `asks ["low"`},
		"a guard is not asked": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			if s == doorShut && key != "open" {
				return doorShut, j.CatchAll()
			}

			return doorNext(s, key, j)
		}, `want ["sealed"]`},
		"a row leads elsewhere": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			to, ok := doorNext(s, key, j)
			if to == doorAjar {
				to = doorShut
			}

			return to, ok
		}, `leads to "shut" when`},
		"not is forgotten": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			if s == doorShut && key == "open" && !j.Holds("visits.shut > 3", false, isFalse) && !j.Ask("low") && !j.Ask("locked") {
				return doorShut, j.CatchAll()
			}

			return doorNext(s, key, j)
		}, `"locked"`},
		"a key does not fall to the rows for every key": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			to, ok := doorNext(s, key, j)
			if key == "open" && len(j.Asked()) == 4 && !j.Asked()[3].OK {
				return 0, false
			}

			return to, ok
		}, "though all guards say no"},
		"the row is found in another way": {func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
			to, ok := doorNext(s, key, j)
			if ok {
				j.CatchAll()
			}

			return to, ok
		}, "finds its row as catch-all"},
	} {
		p := &told{}
		checkDoor(p, c.next)
		if !strings.Contains(strings.Join(p.problems, "\n"), c.says) {
			t.Errorf("%s is not found: %q", fault, p.problems)
		}
	}
}

func isFalse() string { return "false" }
