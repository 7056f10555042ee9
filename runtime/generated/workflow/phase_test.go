package workflow_test

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// phase is a state, as generated code has them.
type phase uint8

const (
	draft phase = iota + 1
	review
	publish
	failed
	done
)

var phases = []string{draft: "draft", review: "review", publish: "publish", failed: "failed", done: "done"}

func (p phase) String() string {
	if p == 0 || int(p) >= len(phases) {
		return ""
	}

	return phases[p]
}

func (p phase) Terminal() bool { return p == failed || p == done }

func parsePhase(text string) (phase, error) {
	for p := draft; p <= done; p++ {
		if p.String() == text {
			return p, nil
		}
	}

	return 0, &rt.UnknownNameError{}
}

// row is a row of a machine's table; from 0 is every state.
type row struct {
	from phase
	on   workflow.Event
	to   phase
	when func(r *workflow.Run) bool
}

// machine is what generated code of one machine holds: the steps of each state and the rows.
type machine struct {
	name  string
	max   int
	steps map[phase]func(r *workflow.Run, input workflow.Value) (workflow.Value, error)
	rows  []row
	// starts says that current_state of the initial context counts.
	starts bool
}

// run drives the machine as generated code does.
func (m *machine) run(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
	memory := workflow.NewMachine(r, m.name, m.max, parsePhase, input)
	state := draft
	if m.starts {
		state = memory.Begin(draft)
	}
	for !state.Terminal() && memory.Enter(state) {
		next, match := m.hop(r, memory, state)
		if match == "" {
			break
		}
		memory.RecordTransition(next, match)
		state = next
	}

	return memory.End(state)
}

func (m *machine) hop(r *workflow.Run, memory *workflow.Machine[phase], state phase) (phase, rt.Match) {
	if steps := m.steps[state]; steps != nil {
		memory.RecordOutput(steps(r, memory.Input()))
	} else {
		memory.RecordOutput(memory.Input(), nil)
	}
	for _, row := range m.rows {
		switch {
		case row.on != memory.Event() || row.from != 0 && row.from != state || row.when != nil && !row.when(r):
		case row.from == 0:
			return row.to, rt.MatchCatchAll
		default:
			return row.to, rt.MatchExact
		}
	}

	leads := func(row row) bool { return row.from == 0 || row.from == state }

	return memory.Follow(!slices.ContainsFunc(m.rows, leads))
}

// says is a step that comes to a value.
func says(text string) func(*workflow.Run, workflow.Value) (workflow.Value, error) {
	return func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
		v := workflow.Text(text)
		if strings.HasPrefix(text, "{") {
			v = workflow.Value{}
			if err := v.UnmarshalJSON([]byte(text)); err != nil {
				return workflow.Value{}, err
			}
		}
		r.RecordOutput("say", v)

		return v, nil
	}
}

// heads is a step that sets next_state.
func heads(to, text string) func(*workflow.Run, workflow.Value) (workflow.Value, error) {
	return func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
		if err := r.SetContext(workflow.Text(to), "next_state"); err != nil {
			return workflow.Value{}, err
		}

		return says(text)(r, input)
	}
}

func breaks(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
	return workflow.Value{}, r.WrapError("break", errFault)
}

// echo gives on what it is given.
func echo(_ *workflow.Run, input workflow.Value) (workflow.Value, error) { return input, nil }

type steps = map[phase]func(*workflow.Run, workflow.Value) (workflow.Value, error)
