package machinetest_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// workState is a state as generated code has it: open, busy and done.
type workState uint8

func (s workState) String() string {
	return [...]string{"", "open", "busy", "done", ""}[min(s, 4)]
}

func (s workState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s workState) Terminal() bool { return s == 3 }

func parseWorkState(text string) (workState, error) {
	for s := workState(1); s <= 3; s++ {
		if s.String() == text {
			return s, nil
		}
	}

	return 0, &rt.UnknownNameError{Machine: "work", Kind: "state", Name: text}
}

func (s *workState) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*s = 0
		return nil
	}
	*s, err = parseWorkState(string(text))

	return err
}

// nextWork holds the rows of work; big is what the guard asks for.
func nextWork(big bool) func(workState, workflow.Event) (workState, rt.Match) {
	return func(s workState, on workflow.Event) (workState, rt.Match) {
		switch on {
		case workflow.Success:
			switch s {
			case 1:
				if big {
					return 2, rt.MatchGuard
				}
				return 3, rt.MatchExact
			}
		case workflow.Failure:
			if s != 3 {
				return 3, rt.MatchCatchAll
			}
		}

		return 0, rt.MatchNone
	}
}

func work() machinetest.Steps[workState] {
	return machinetest.Steps[workState]{
		Name:   "work",
		States: []string{"open", "busy", "done"},
		Ends:   []string{"done"},
		Rows: []machinetest.StepRow{
			{"open", "success", "busy", "context.big"},
			{"open", "success", "done", ""},
			{"*", "failure", "done", ""},
			{"busy", "failure", "open", ""}, // never taken
		},
		ParseState: parseWorkState,
		Next:       nextWork(false),
	}
}

func TestCheckSteps(t *testing.T) {
	for _, big := range []bool{false, true} {
		m := work()
		m.Next = nextWork(big)
		machinetest.CheckSteps(t, m)
	}
	silent := work()
	silent.Rows, silent.Next = nil, nil
	machinetest.CheckSteps(t, silent)
}

func TestCheckStepsSees(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*machinetest.Steps[workState])
		want   string
	}{
		{"a state is gone", func(m *machinetest.Steps[workState]) { m.States = append(m.States, "new") }, `state 4 is called ""`},
		{"a state is new", func(m *machinetest.Steps[workState]) { m.States = m.States[:2] }, `there is one more state, "done"`},
		{"states in another order", func(m *machinetest.Steps[workState]) { m.States[0], m.States[1] = m.States[1], m.States[0] },
			`state 1 is called "open", want "busy"`},
		{"another end", func(m *machinetest.Steps[workState]) { m.Ends = nil }, `state "done" ends the machine: true, want false`},
		{"a row is gone", func(m *machinetest.Steps[workState]) { m.Rows = m.Rows[:2] },
			`state "open", failure: the machine goes to "done" (catch-all), want [nowhere]`},
		{"a row is new", func(m *machinetest.Steps[workState]) {
			m.Rows = append(m.Rows, machinetest.StepRow{"busy", "success", "done", ""})
		}, `state "busy", success: the machine goes to nowhere, want ["done" (exact)]`},
		{"another target", func(m *machinetest.Steps[workState]) { m.Rows[1][2] = "open" },
			`state "open", success: the machine goes to "done" (exact), want ["busy" (guard) "open" (exact)]`},
		{"rows in another order", func(m *machinetest.Steps[workState]) { m.Rows[2], m.Rows[3] = m.Rows[3], m.Rows[2] },
			`state "busy", failure: the machine goes to "done" (catch-all), want ["open" (exact)]`},
		{"a guard is gone", func(m *machinetest.Steps[workState]) { m.Rows[0][3] = "" },
			`state "open", success: the machine goes to "done" (exact), want ["busy" (exact)]`},
		{"any text is a state", func(m *machinetest.Steps[workState]) {
			m.ParseState = func(text string) (workState, error) {
				s, _ := parseWorkState(text)
				return max(s, 1), nil
			}
		}, `"no state has this name" is parsed as the state "open"`},
	} {
		m := work()
		c.damage(&m)
		var told recorder
		machinetest.CheckSteps(&told, m)
		if text := strings.Join(told.problems, "\n"); !strings.Contains(text, "work: "+c.want) {
			t.Errorf("%s: told is\n%s", c.name, text)
		}
	}
}
