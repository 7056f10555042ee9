package cost_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
)

// TestSmallWorkflows: each case is a workflow of a few steps, and the most calls of models and tokens of output that it uses where each
// call is tried once. A reply has 100 tokens at most. A step with an agent is repeated once if it does not say how often.
func TestSmallWorkflows(t *testing.T) {
	cases := []struct{ name, steps, child, want string }{
		{"a step that is not repeated", `
		- {name: x, uses: agents.clerk, config: {max_retries: 0}}
`, "", "1 calls, 100 tokens"},
		{"a step that does not say how often it is repeated", `
		- {name: x, uses: agents.clerk}
`, "", "2 calls, 200 tokens"},
		{"a step that is repeated twice", `
		- {name: x, uses: agents.clerk, config: {max_retries: 2}}
`, "", "3 calls, 300 tokens"},
		{"a step without a model", `
		- {name: x, input: go}
`, "", "0 calls, 0 tokens"},
		{"a question", `
		- {name: x, kind: hitl, message: "Well?"}
`, "", "0 calls, 0 tokens"},
		{"a fallback runs behind all tries", `
		- {name: x, uses: agents.clerk, config: {max_retries: 1}, fallback: {name: y, uses: agents.clerk}}
`, "", "3 calls, 300 tokens"},
		{"two steps", `
		- {name: x, uses: agents.clerk, config: {max_retries: 0}}
		- {name: y, uses: agents.clerk, config: {max_retries: 0}}
`, "", "2 calls, 200 tokens"},
		{"the dearest branch", `
		- name: x
		  kind: conditional
		  condition_expression: context.kind
		  branches:
		    a: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]
		    b: [{name: z, uses: agents.clerk, config: {max_retries: 2}}]
`, "", "3 calls, 300 tokens"},
		{"the default branch", `
		- name: x
		  kind: conditional
		  condition_expression: context.kind
		  branches: {a: []}
		  default_branch: [{name: z, uses: agents.clerk, config: {max_retries: 2}}]
`, "", "3 calls, 300 tokens"},
		{"each turn of a loop", `
		- {name: x, kind: loop, loop: {max_loops: 4, exit_expression: context.ok, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "4 calls, 400 tokens"},
		{"a loop in a loop", `
		- name: x
		  kind: loop
		  loop:
		    max_loops: 3
		    exit_expression: context.ok
		    body: [{name: y, kind: loop, loop: {max_loops: 2, exit_expression: context.ok, body: [{name: z, uses: agents.clerk, config: {max_retries: 0}}]}}]
`, "", "6 calls, 600 tokens"},
		{"a loop that does not say how often", `
		- {name: x, kind: loop, loop: {exit_expression: context.ok, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "5 calls, 500 tokens"},
		{"each item of a list", `
		- {name: x, kind: map, map: {iterable_input: list, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "2 calls, 200 tokens"},
		{"all branches of a group", `
		- name: x
		  kind: parallel
		  branches:
		    one: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]
		    two: [{name: z, uses: agents.clerk, config: {max_retries: 2}}]
`, "", "4 calls, 400 tokens"},
		{"each state that a machine may run", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  max_steps: 5
		  states: {s: [{name: y, uses: agents.judge, config: {max_retries: 0}}]}
		  transitions: [{from: s, on: success, to: e, when: "steps.y.ok"}, {from: s, on: success, to: s}]
`, "", "5 calls, 500 tokens"},
		{"a machine without a circle", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  max_steps: 5
		  states: {s: [{name: y, uses: agents.judge, config: {max_retries: 0}}], t: [{name: z, uses: agents.judge, config: {max_retries: 0}}]}
		  transitions: [{from: s, on: success, to: t}, {from: t, on: success, to: e}]
`, "", "2 calls, 200 tokens"},
		{"a state that is entered again when it fails", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  max_steps: 3
		  states: {s: [{name: y, uses: agents.judge, config: {max_retries: 0}}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: failure, to: s}]
`, "", "3 calls, 300 tokens"},
		{"an end state runs nothing", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states: {s: [], e: [{name: y, uses: agents.clerk}]}
		  transitions: [{from: s, on: success, to: e}]
`, "", "0 calls, 0 tokens"},
		{"an import", `
		- {name: x, uses: imports.child}
`, `
		- {name: c, uses: agents.clerk, config: {max_retries: 0}}
		- {name: d, uses: agents.clerk, config: {max_retries: 1}}
`, "3 calls, 300 tokens"},
		{"an import that is repeated", `
		- {name: x, uses: imports.child, config: {max_retries: 2}}
`, `
		- {name: c, uses: agents.clerk, config: {max_retries: 0}}
`, "3 calls, 300 tokens"},
		{"an import in a loop", `
		- {name: x, kind: loop, loop: {max_loops: 3, exit_expression: context.ok, body: [{name: y, uses: imports.child}]}}
`, `
		- {name: c, uses: agents.clerk, config: {max_retries: 0}}
`, "3 calls, 300 tokens"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, emittest.SmallWorkflow(c.steps, c.child))
			for _, e := range cost.Of(p, cost.Options{Attempts: 1}) {
				if got := fmt.Sprintf("%d calls, %d tokens", e.Most.Calls, e.Most.Output); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}

// TestLargeMachines: the bounds of machines with more states than are looked at one by one are exact. A ring
// is left after as many steps as it may have, a line behind its last state.
func TestLargeMachines(t *testing.T) {
	for _, c := range []struct {
		name             string
		states, maxSteps int
		isRing           bool
		want             cost.Amount
	}{
		{"a line", 300, 3000, false, 300},
		{"a line that is longer than it may be", 300, 200, false, 200},
		{"a ring", 300, 900, true, 900},
		{"a small ring", 3, 90, true, 90},
		{"a ring with more steps than are looked at", 20, 5000, true, 5000},
	} {
		var states, rows []string
		for i := range c.states {
			states = append(states, fmt.Sprintf("s%d: [{name: y%d, uses: agents.clerk, config: {max_retries: 0}}]", i, i))
			to := fmt.Sprint("s", i+1)
			switch {
			case i < c.states-1:
			case c.isRing:
				to = "s0"
			default:
				to = "e"
			}
			rows = append(rows, fmt.Sprintf("{from: s%d, on: success, to: %s}", i, to))
		}
		steps := fmt.Sprintf(`
		- name: x
		  kind: StateMachine
		  start_state: s0
		  end_states: [e]
		  max_steps: %d
		  states: {%s}
		  transitions: [{from: s0, on: failure, to: e}, %s]
`, c.maxSteps, strings.Join(states, ", "), strings.Join(rows, ", "))
		for _, e := range cost.Of(load(t, emittest.SmallWorkflow(steps, "")), cost.Options{Attempts: 1}) {
			if e.Most.Calls != c.want {
				t.Errorf("%s: %v calls, want %v", c.name, e.Most.Calls, c.want)
			}
		}
	}
}

// TestMachinesThatBeginInAnEnd: the caller may choose the end as the first state of a machine. Then its output is
// what it is given.
func TestMachinesThatBeginInAnEnd(t *testing.T) {
	const input = 30_000
	p := load(t, emittest.SmallWorkflow(`
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states: {s: [{name: y, input: short}]}
		  transitions: [{from: s, on: success, to: e}]
		- {name: z, uses: agents.clerk, config: {max_retries: 0}}
`, ""))
	for _, e := range cost.Of(p, cost.Options{Attempts: 1, Input: input}) {
		if e.Most.Input < input {
			t.Errorf("%s is given at most %v tokens, and the caller gives it %d", e.Name, e.Most.Input, input)
		}
	}
}
