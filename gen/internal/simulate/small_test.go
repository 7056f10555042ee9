package simulate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// TestSmallWorkflows: each case is a workflow of a few steps, and for each case of its steps the
// turns of the shortest run that takes it, or why there is none.
func TestSmallWorkflows(t *testing.T) {
	cases := []struct{ name, steps, child, want string }{
		{"no step with cases", `
		- {name: x, uses: agents.judge}
`, "", ""},
		{"each branch of a conditional", `
		- {name: x, uses: agents.judge}
		- {name: y, kind: conditional, condition_expression: steps.x.kind, branches: {a: [], b: [{name: z, uses: agents.clerk}]}}
`, "", "y branch a: 1; y branch b: 2"},
		{"the default branch, and one that is never taken", `
		- {name: x, uses: agents.judge}
		- {name: y, kind: conditional, condition_expression: steps.x.kind, branches: {a: [], c: []}, default_branch: []}
`, "", "y branch a: 1; y branch c: no-key; y default: 1"},
		{"what the run is given decides", `
		- {name: y, kind: conditional, condition_expression: previous_step, branches: {a: []}, default_branch: []}
`, "", "y branch a: guards, open; y default: guards, open"},
		{"a branch inside of another", `
		- {name: x, uses: agents.judge}
		- name: y
		  kind: conditional
		  condition_expression: steps.x.kind
		  branches:
		    a: [{name: z, kind: conditional, condition_expression: steps.x.ok, branches: {true: [], false: []}}]
		    b: []
`, "", "y branch a: 1; y branch b: 1; z branch true: 1; z branch false: 1"},
		{"the ends of a loop that fails at its bound", `
		- {name: x, kind: loop, loop: {max_loops: 2, exit_expression: "steps.y.ok", body: [{name: y, uses: agents.judge}]}}
`, "", "x first-turn: 1; x later-turn: 2; x bound: no-end"},
		{"the ends of a loop that is done at its bound", `
		- {name: x, kind: loop, loop: {max_loops: 2, on_bound: last, exit_expression: "steps.y.ok", body: [{name: y, uses: agents.judge}]}}
`, "", "x first-turn: 1; x later-turn: 2; x bound: 2"},
		{"a loop with a fallback at its bound", `
		- {name: x, kind: loop, loop: {max_loops: 1, until: "steps.y.ok", body: [{name: y, uses: agents.judge}]}, fallback: {name: z, input: x}}
`, "", "x first-turn: 1; x bound: 1; x fallback: 1"},
		{"a loop whose fallback fails, and undoes what it has written", `
		- {name: v, agent: {id: context_set, params: {path: n, value: 1}}}
		- name: m
		  kind: StateMachine
		  start_state: s
		  end_states: [e, f]
		  max_steps: 3
		  states:
		    s:
		      - name: x
		        kind: loop
		        loop: {max_loops: 1, on_bound: last, body: [{name: y, uses: agents.judge}]}
		        fallback:
		          name: z
		          kind: loop
		          loop:
		            max_loops: 1
		            on_bound: last
		            body: [{name: w, agent: {id: context_set, params: {path: n, value: 2}}}, {name: y, uses: agents.judge}]
		    t: [{name: u, kind: conditional, condition_expression: context.n == 1, branches: {true: [], false: []}}]
		  transitions: [{from: s, on: success, to: e}, {from: s, on: failure, to: t}, {from: t, on: success, to: f}]
`, "", "x fallback: 3; u branch true: 4; u branch false: no-key"},
		{"a loop of one turn", `
		- {name: x, kind: loop, loop: {max_loops: 1, exit_expression: "steps.y.ok", body: [{name: y, uses: agents.judge}]}}
`, "", "x first-turn: 1; x bound: no-end"},
		{"a loop that may have no turn", `
		- {name: w, uses: agents.judge}
		- {name: x, kind: loop, loop: {max_loops: 2, while: "not steps.w.ok and steps.y.kind != 'a'", body: [{name: y, uses: agents.judge}]}}
`, "", "x no-turn: 1; x first-turn: 2; x later-turn: 3; x bound: no-end"},
		{"the turns of a loop", `
		- name: x
		  kind: loop
		  loop: {repeat: 2, body: [{name: y, kind: conditional, condition_expression: loop.last, branches: {true: [{name: z, uses: agents.judge}], false: []}}]}
`, "", "y branch true: 1; y branch false: 1"},
		{"the items of a map", `
		- name: x
		  kind: map
		  map: {iterable_input: list, body: [{name: y, kind: conditional, condition_expression: loop.index == 1, branches: {true: [], false: []}}]}
`, "", "x no-items: 0; x one-item: 0; x several-items: 0; x failed-item: no-key, open; y branch true: 0; y branch false: 0"},
		{"a loop that nothing ends", `
		- {name: x, kind: loop, loop: {max_loops: 3, on_bound: last, body: [{name: y, uses: agents.judge}]}}
`, "", ""},
		{"items of the context, whose failures count", `
		- {name: x, kind: map, map: {iterable_input: list, body: [{name: y, uses: agents.clerk}]}}
`, "", "x no-items: 0; x one-item: 1; x several-items: 2; x failed-item: no-end"},
		{"items in branches", `
		- {name: x, kind: map, map: {iterable_input: list, max_concurrency: 2, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "x no-items: 0; x one-item: 1; x several-items: 2; x failed-item: no-end"},
		{"items in branches, whose failures are left out", `
		- {name: x, kind: map, map: {iterable_input: list, on_item_failure: skip, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "x no-items: 0; x one-item: 1; x several-items: 2; x failed-item: 2"},
		{"items of an answer, with a row for their failures", `
		- {name: w, uses: "list:words", output_schema: {type: object, properties: {list: {type: array, items: {type: string}}}, required: [list]}, updates_context: true}
		- name: m
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states: {s: [{name: x, kind: map, map: {iterable_input: list, body: [{name: y, uses: agents.clerk}]}}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: failure, to: e}]
`, "", "x no-items: 1; x one-item: 2; x several-items: 3; x failed-item: 3"},
		{"branches side by side, of which one may fail", `
		- {name: x, kind: parallel, on_branch_failure: ignore, branches: {a: [{name: y, uses: agents.clerk}], b: [{name: z, input: go}]}}
`, "", "x failed-branch a: 2; x failed-branch b: no-key, open"},
		{"branches side by side, of which none may fail", `
		- {name: x, kind: parallel, branches: {a: [{name: y, uses: agents.clerk}], b: [{name: z, uses: agents.judge}]}}
`, "", "x failed-branch a: no-end; x failed-branch b: no-end"},
		{"branches that differ, unless one of them writes what was there", `
		- name: x
		  kind: parallel
		  merge_strategy: ERROR_ON_CONFLICT
		  branches:
		    a: [{name: y, agent: {id: context_set, params: {path: kind, value: a}}}]
		    b: [{name: z, agent: {id: context_set, params: {path: kind, value: b}}}]
		- {name: v, uses: agents.clerk, fallback: {name: w, input: none}}
`, "", "x failed-branch a: no-key, open; x failed-branch b: no-key, open; v fallback: 2"},
		{"a conditional in a branch, and one behind", `
		- name: x
		  kind: parallel
		  branches:
		    a: [{name: y, uses: agents.judge}, {name: z, kind: conditional, condition_expression: steps.y.kind, branches: {a: [], b: []}}]
		    b: [{name: v, uses: agents.clerk}]
		- {name: w, kind: conditional, condition_expression: steps.y.ok, branches: {true: [], false: []}}
`, "", "x failed-branch a: no-end; x failed-branch b: no-end; z branch a: 2; z branch b: 2; w branch true: 2; w branch false: 2"},
		{"each answer to a question", `
		- {name: x, kind: hitl, message: "Which?", input_schema: {type: object, properties: {kind: {enum: [a, b, c]}}, required: [kind]}}
		- {name: y, kind: conditional, condition_expression: "steps.x.kind == 'a'", branches: {true: [], false: []}}
`, "", `x answer {"kind":"a"}: 1; x answer {"kind":"b"}: 1; x answer {"kind":"c"}: 1; x refused-answer: 2; y branch true: 1; y branch false: 1`},
		{"a fallback, and one that is not needed", `
		- {name: x, uses: agents.clerk, fallback: {name: y, input: none}}
		- {name: v, input: go, fallback: {name: w, input: none}}
`, "", "x fallback: 2; v fallback: no-key, open"},
		{"a question that takes any text", `
		- {name: x, kind: hitl, message: "Which?"}
`, "", ""},
		{"steps of an import", `
		- {name: x, uses: imports.child, input: go}
`, `
		- {name: y, uses: agents.judge}
		- {name: z, kind: conditional, condition_expression: steps.y.kind, branches: {a: [], b: []}}
`, "z branch a: 1; z branch b: 1"},
		{"a step that no run reaches", `
		- {name: x, uses: agents.judge}
		- name: y
		  kind: conditional
		  condition_expression: steps.x.kind
		  branches:
		    a: []
		    b: []
		    c: [{name: z, kind: conditional, condition_expression: steps.x.ok, branches: {true: [], false: []}}]
`, "", "y branch a: 1; y branch b: 1; y branch c: no-key; z branch true: unreached, open; z branch false: unreached, open"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, emittest.SmallWorkflow(c.steps, c.child))
			r := simulate.FindRuns(p, simulate.Options{Roots: graph.FindRoots(p)})
			if got := coverageText(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			wantScripts(t, r)
		})
	}
}

// coverageText lists the cases of all steps: the turns of the shortest run, or the reason.
func coverageText(r *simulate.Result) string {
	var texts []string
	for _, s := range r.Steps {
		for _, c := range s.Cases {
			what := strings.TrimSpace(fmt.Sprintf("%s %s %s", s.Task.Name.Value, c.Kind, c.Name))
			switch {
			case c.Ends:
				what += fmt.Sprintf(": %d", c.Turns)
			case c.Open:
				what += fmt.Sprintf(": %s, open", c.Why.Reason)
			default:
				what += ": " + string(c.Why.Reason)
			}
			texts = append(texts, what)
		}
	}

	return strings.Join(texts, "; ")
}

// wantScripts fails the test where a case that a run takes has no script, or a script says that it
// takes another one.
func wantScripts(t *testing.T, r *simulate.Result) {
	t.Helper()
	taken := map[*simulate.Case]bool{}
	scripts, unscripted := r.Scripts(nil)
	for _, s := range scripts {
		for _, c := range s.Cases {
			taken[c] = true
		}
	}
	for _, s := range r.Steps {
		for _, c := range s.Cases {
			if c.Ends != taken[c] {
				t.Errorf("%s of step %q: ends: %t, by a script: %t", c, s.Task.Name.Value, c.Ends, taken[c])
			}
		}
	}
	if len(unscripted) > 0 {
		t.Errorf("no script: %s", unscripted[0].Why)
	}
}
