package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// guardedMachine returns a machine with so many states, each with a step of its own. rows are those of a state: %[1]d is its number, %[2]d the next one.
func guardedMachine(states int, rows string) string {
	var b strings.Builder
	b.WriteString("- name: m\n  kind: StateMachine\n  start_state: s0\n")
	fmt.Fprintf(&b, "  end_states: [s%d]\n  max_steps: %d\n  states:\n", states, 2*states)
	for i := range states {
		fmt.Fprintf(&b, "    s%[1]d: [{name: y%[1]d, uses: agents.judge}]\n", i)
	}
	b.WriteString("  transitions:\n")
	for i := range states {
		fmt.Fprintf(&b, rows, i, i+1)
	}

	return b.String()
}

// stepsOf returns so many steps: %[1]d is the number of each.
func stepsOf(steps int, step string) string {
	var b strings.Builder
	for i := range steps {
		fmt.Fprintf(&b, step, i)
	}

	return b.String()
}

// TestCombinationsAreFew: a value that nothing reads any more is forgotten, so that twice as many
// steps make no more than about twice as many combinations of values.
func TestCombinationsAreFew(t *testing.T) {
	const ahead = "    - {from: s%[1]d, on: success, when: steps.y%[1]d.ok, to: s%[2]d}\n"
	cases := []struct {
		name  string
		steps func(n int) string
	}{
		{"guards in a row", func(n int) string {
			return guardedMachine(n, ahead+"    - {from: s%[1]d, on: success, to: s%[2]d}\n")
		}},
		{"guards that lead back", func(n int) string {
			return guardedMachine(n, ahead+"    - {from: s%[1]d, on: success, to: s0}\n"+
				"    - {from: s%[1]d, on: failure, to: s%[1]d}\n")
		}},
		{"guards over a field of the context", func(n int) string {
			rows := guardedMachine(n, "    - {from: s%[1]d, on: success, when: context.ok, to: s%[2]d}\n"+
				"    - {from: s%[1]d, on: success, to: s%[1]d}\n")
			return strings.ReplaceAll(rows, "uses: agents.judge", "uses: agents.judge, updates_context: true")
		}},
		{"conditionals over open texts", func(n int) string {
			return stepsOf(n, "- {name: y%[1]d, uses: agents.clerk}\n"+
				"- {name: c%[1]d, kind: conditional, condition_expression: steps.y%[1]d, "+
				"branches: {a: [{name: a%[1]d, input: x}]}, default_branch: []}\n")
		}},
		{"conditionals over the output of conditionals", func(n int) string {
			return stepsOf(n, "- {name: c%[1]d, kind: conditional, condition_expression: context.ok, "+
				"branches: {true: [{name: a%[1]d, input: x}], false: [{name: b%[1]d, input: y}]}}\n"+
				"- {name: d%[1]d, kind: conditional, condition_expression: steps.c%[1]d, "+
				"branches: {x: [], y: []}}\n")
		}},
		{"loops", func(n int) string {
			return stepsOf(n, "- {name: l%[1]d, kind: loop, loop: {max_loops: 3, "+
				"exit_expression: steps.y%[1]d.ok, body: [{name: y%[1]d, uses: agents.judge}]}}\n")
		}},
		{"fallbacks and tries", func(n int) string {
			return stepsOf(n, "- {name: y%[1]d, uses: agents.judge, "+
				"config: {max_retries: 2}, fallback: {name: f%[1]d, uses: agents.judge}}\n"+
				"- {name: c%[1]d, kind: conditional, condition_expression: steps.y%[1]d.kind, "+
				"branches: {a: []}, default_branch: []}\n")
		}},
	}
	const few = 12
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			one, two := countCombinations(t, c.steps(few)), countCombinations(t, c.steps(2*few))
			if one <= 0 || two < one || two > 3*one {
				t.Errorf("%d combinations of %d steps, %d of %d, want twice as many", one, few, two, 2*few)
			}
		})
	}
}

// countCombinations returns how many combinations of values are looked at in a workflow of some steps.
func countCombinations(t *testing.T, steps string) int {
	t.Helper()
	program := loadSmall(t, emittest.SmallWorkflow(steps, ""))
	w, _ := ir.WorkflowOf(program.Entry.Node)

	return flow.Analyze(program, flow.Guess{}).CountCombinations(w)
}
