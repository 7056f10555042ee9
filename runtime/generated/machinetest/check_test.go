package machinetest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/machinetest"
)

type state uint8

const (
	draft state = iota + 1
	critique
	settle
	done
)

var stateNames = []string{"", "draft", "critique", "settle", "done"}

func (s state) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}

	return fmt.Sprintf("state(%d)", uint8(s))
}

func (s state) Terminal() bool { return s == 0 || s == done }

func parse(name string) (state, error) {
	if i := slices.Index(stateNames[1:], name); i >= 0 {
		return state(i + 1), nil
	}

	return 0, fmt.Errorf("no state is called %q", name)
}

// next is the transition function: in settle it asks guards.
func next(s state, event string, holds func(string) bool) (state, bool) {
	switch s {
	case draft:
		switch event {
		case "good":
			return done, true
		case "bad":
			return critique, true
		}
	case critique:
		return settle, true
	case settle:
		if event == "again" {
			if holds("few") {
				return draft, true
			}
			if holds("not many") {
				return 0, true
			}
		}
		if holds("sealed") {
			return critique, true
		}
		return done, true
	}

	return 0, false
}

func machine() machinetest.Machine[state] {
	return machinetest.Machine[state]{
		States: slices.Clone(stateNames[1:]),
		Ends:   []string{"done"},
		Rows: []machinetest.Row{
			{"draft", "good", "done"},
			{"draft", "bad", "critique"},
			{"critique", machinetest.Any, "settle"},
			{"settle", "again", "draft", "few"},
			{"settle", "again", "", "not many"},
			{"settle", machinetest.Any, "critique", "sealed"},
			{"settle", machinetest.Any, "done"},
		},
		Keys: func(s state) []string {
			return map[state][]string{draft: {"good", "bad"}, settle: {"again"}}[s]
		},
		Parse: parse,
		Next:  next,
	}
}

// recorder keeps what a check reports.
type recorder struct{ problems []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

func problems(m machinetest.Machine[state]) string {
	r := &recorder{}
	machinetest.Check(r, m)

	return strings.Join(r.problems, "\n")
}

func TestRightMachine(t *testing.T) {
	machinetest.Check(t, machine())
	silent := machine()
	silent.Rows, silent.Next, silent.Keys = nil, nil, nil
	machinetest.Check(t, silent)
}

// TestWrongTables changes each row in every way: the code is wrong then.
func TestWrongTables(t *testing.T) {
	for i, row := range machine().Rows {
		var others []machinetest.Row
		for _, name := range append(slices.Clone(stateNames), "more") {
			if name != row[2] {
				others = append(others, machinetest.Row{row[0], row[1], name, row[3]})
			}
		}
		others = append(others, machinetest.Row{row[0], "altered", row[2], row[3]}, machinetest.Row{row[0], row[1], row[2], row[3] + "!"})
		for _, other := range others {
			m := machine()
			m.Rows[i] = other
			if problems(m) == "" {
				t.Errorf("%q in the place of %q is not found", other, row)
			}
		}
		m := machine()
		m.Rows = slices.Delete(m.Rows, i, i+1)
		if problems(m) == "" {
			t.Errorf("that %q is missing is not found", row)
		}
	}
}

// TestFinds changes one thing at a time.
func TestFinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*machinetest.Machine[state])
		want   string
	}{
		{"a state is gone", func(m *machinetest.Machine[state]) { m.States = append(m.States, "new") }, `state 5 is called "state(5)"`},
		{"a state is new", func(m *machinetest.Machine[state]) { m.States = m.States[:3] }, `"done", which the table does not have, is state 4`},
		{"states in another order", func(m *machinetest.Machine[state]) { m.States[0], m.States[1] = m.States[1], m.States[0] },
			`state "critique": state 1 is called "draft"`},
		{"another end", func(m *machinetest.Machine[state]) { m.Ends = nil }, "the machine ends there: true, want false"},
		{"guards in another order", func(m *machinetest.Machine[state]) { m.Rows[3], m.Rows[4] = m.Rows[4], m.Rows[3] },
			`"again" asks the guards ["few"], want ["not many"]`},
		{"keys in another order", func(m *machinetest.Machine[state]) { m.Rows[0], m.Rows[1] = m.Rows[1], m.Rows[0] },
			`state "draft": the keys are ["good" "bad"], want ["bad" "good"]`},
		{"an end goes on", func(m *machinetest.Machine[state]) {
			m.Next = func(s state, event string, holds func(string) bool) (state, bool) {
				if s == done {
					return draft, true
				}
				return next(s, event, holds)
			}
		}, `state "done": "good" leads to "draft"`},
		{"a guard is turned round", func(m *machinetest.Machine[state]) {
			m.Next = func(s state, event string, holds func(string) bool) (state, bool) {
				return next(s, event, func(guard string) bool { return holds(guard) != (guard == "sealed") })
			}
		}, `"again" leads to`},
		{"any text is a state", func(m *machinetest.Machine[state]) {
			m.Parse = func(name string) (state, error) {
				s, _ := parse(name)
				return max(s, 1), nil
			}
		}, `"no state has this name", which the table does not have, is state 1`},
		{"a name is that of another state", func(m *machinetest.Machine[state]) {
			m.Parse = func(name string) (state, error) {
				s, err := parse(name)
				return max(s, critique), err
			}
		}, "the name belongs to state 2"},
	} {
		m := machine()
		c.damage(&m)
		if text := problems(m); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// TestGuardsThatDecide: a machine goes where any row leads whose guard may hold, and nowhere else.
func TestGuardsThatDecide(t *testing.T) {
	for _, holds := range []string{"few", "not many", "sealed", "none"} {
		m := machine()
		m.Decides = true
		m.Next = func(s state, event string, _ func(string) bool) (state, bool) {
			return next(s, event, func(guard string) bool { return guard == holds })
		}
		machinetest.Check(t, m)
		m.Rows[3][2], m.Rows[4][2] = "settle", "settle"
		if found := problems(m) != ""; found != (holds == "few" || holds == "not many") {
			t.Errorf("%s: another target is found: %v", holds, found)
		}
	}
}

// TestEveryState: rows from every state are tried where they are among the others.
func TestEveryState(t *testing.T) {
	m := machine()
	m.Keys = nil
	m.Rows = []machinetest.Row{{"draft", "fails", "draft"}, {machinetest.Any, "fails", "done"}, {"critique", "fails", "draft"}}
	m.Next = func(s state, event string, _ func(string) bool) (state, bool) {
		switch {
		case event != "fails" || s == done || s == 0:
			return 0, false
		case s == draft:
			return draft, true
		}

		return done, true
	}
	machinetest.Check(t, m)
	m.Rows[1], m.Rows[2] = m.Rows[2], m.Rows[1]
	if text := problems(m); !strings.Contains(text, `state "critique": "fails" leads to "done"`) {
		t.Errorf("another order: %q", text)
	}
}
