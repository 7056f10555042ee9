package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// smallCase is a workflow of some steps, and of those of a child that it imports, with what is
// wanted of it. It declares its context unless its name ends with "no context is declared".
type smallCase struct{ name, steps, child, want string }

func (c smallCase) load(t *testing.T) *ir.Program {
	t.Helper()
	files := emittest.SmallWorkflow(c.steps, c.child)
	if strings.HasSuffix(c.name, "no context is declared") {
		flow := files["workflows/flow.yaml"]
		_, after, _ := strings.Cut(string(flow.Data), "context: ")
		_, after, _ = strings.Cut(after, "\n")
		flow.Data = []byte("version: \"0.1\"\n" + after)
	}

	return loadSmall(t, files)
}

// TestSmallWorkflows: each case is a workflow of a few steps, and what is found out about it: the keys with which it ends, with the fewest
// calls, or the steps that never end well unless something fails; and the states that are not reached, and the rows that are never taken.
func TestSmallWorkflows(t *testing.T) {
	const machine = `
		- name: m
		  kind: StateMachine
		  start_state: s
		  end_states: [e, f]
		  max_steps: 3
`
	cases := []smallCase{
		{"no machine ends with done", `
		- {name: x, uses: agents.judge}
`, "", "ends done; calls 1"},
		{"a loop whose exit never holds", `
		- {name: x, kind: loop, loop: {max_loops: 2, exit_expression: "context.n > 1 and context.n < 1", body: [{name: y, input: go}]}}
`, "", "endless x"},
		{"a loop whose exit reads what its body has been answered", `
		- {name: x, kind: loop, loop: {max_loops: 2, exit_expression: "steps.y.ok", body: [{name: y, uses: agents.judge}]}}
`, "", "ends done; calls 1"},
		{"a loop with all of its turns", `
		- {name: x, kind: loop, loop: {repeat: 5, body: [{name: y, uses: agents.judge}, {name: z, uses: agents.judge}]}}
`, "", "ends done; calls 10"},
		{"a loop in a loop, each with all of its turns", `
		- {name: x, kind: loop, loop: {repeat: 1000, body: [{name: in, kind: loop, loop: {repeat: 1000, body: [{name: y, uses: agents.judge}]}}]}}
`, "", "ends done; calls 1000000"},
		{"a loop whose first turn calls no model", `
		- {name: v, agent: {id: context_set, params: {path: kind, value: a}}}
		- name: x
		  kind: loop
		  loop:
		    repeat: 4
		    body:
		      - name: y
		        kind: conditional
		        condition_expression: context.kind == 'b'
		        branches: {true: [{name: z, uses: agents.judge}], false: [{name: w, agent: {id: context_set, params: {path: kind, value: b}}}]}
`, "", "ends done; calls 3"},
		{"a loop whose second turns call no model", `
		- {name: v, agent: {id: context_set, params: {path: kind, value: a}}}
		- name: x
		  kind: loop
		  loop:
		    repeat: 7
		    body:
		      - name: y
		        kind: conditional
		        condition_expression: context.kind == 'a'
		        branches:
		          true: [{name: z, uses: agents.judge}, {name: b, agent: {id: context_set, params: {path: kind, value: b}}}]
		          false: [{name: w, agent: {id: context_set, params: {path: kind, value: a}}}]
`, "", "ends done; calls 4"},
		{"such a loop with more turns than are followed", `
		- {name: v, agent: {id: context_set, params: {path: kind, value: a}}}
		- name: x
		  kind: loop
		  loop:
		    repeat: 101
		    body:
		      - name: y
		        kind: conditional
		        condition_expression: context.kind == 'a'
		        branches:
		          true: [{name: z, uses: agents.judge}, {name: b, agent: {id: context_set, params: {path: kind, value: b}}}]
		          false: [{name: w, agent: {id: context_set, params: {path: kind, value: a}}}]
` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 32"},
		{"a loop whose exit reads a constant that its body writes", `
		- {name: x, kind: loop, loop: {max_loops: 2, exit_expression: "context.kind == 'b'", body: [{name: y, agent: {id: context_set, params: {path: kind, value: a}}}]}}
`, "", "endless x"},
		{"a loop with a fallback, whose writes are undone", `
		- {name: v, agent: {id: context_set, params: {path: n, value: 1}}}
		- name: x
		  kind: loop
		  loop: {max_loops: 2, until: "context.n == 3", body: [{name: y, agent: {id: context_set, params: {path: n, value: 2}}}]}
		  fallback: {name: z, input: go}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.n == 2"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a fallback of a loop, whose writes are undone if it fails", `
		- {name: v, agent: {id: context_set, params: {path: n, value: 1}}}` + machine + `
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
		  transitions: [{from: s, on: success, to: f}, {from: s, on: failure, to: e, when: "context.n == 2"}, {from: s, on: failure, to: f}]
`, "", "ends f; calls 1; unreached e; dead s failure e"},
		{"a loop whose condition never fails", `
		- {name: v, agent: {id: context_set, params: {path: kind, value: b}}}
		- {name: x, kind: loop, loop: {max_loops: 2, while: "context.kind == 'b'", body: [{name: y, uses: agents.judge}]}}
`, "", "endless x"},
		{"a loop whose body may not run", `
		- {name: x, kind: loop, loop: {max_loops: 2, while: "context.n > 1", body: [{name: y, agent: {id: context_set, params: {path: kind, value: a}}}]}}
` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f"},
		{"a row", machine + `
		  states: {s: [{name: y, uses: agents.judge}]}
		  transitions: [{from: s, on: success, to: e}]
`, "", "ends e; calls 1; unreached f"},
		{"a row behind one that is always taken", machine + `
		  states: {s: [{name: y, uses: agents.judge}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: success, to: f}]
`, "", "ends e; calls 1; unreached f; dead s success f"},
		{"two guards for all values of an enum", machine + `
		  states: {s: [{name: y, uses: agents.judge}]}
		  transitions: [{from: s, on: success, to: e, when: "steps.y.kind == 'a'"}, {from: s, on: success, to: f, when: "steps.y.kind == 'b'"}]
`, "", "ends e f; calls 1"},
		{"a guard that the values of an enum never let through", machine + `
		  states: {s: [{name: y, uses: agents.judge}]}
		  transitions: [{from: s, on: success, to: e, when: "steps.y.kind == 'a' and steps.y.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; calls 1; unreached e; dead s success e"},
		{"a guard over a constant that a step has set", machine + `
		  states: {s: [{name: y, agent: {id: context_set, params: {path: kind, value: a}}}]}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a constant that is overwritten by an answer", `
		- {name: y, agent: {id: context_set, params: {path: kind, value: a}}}
		- {name: z, uses: agents.judge, updates_context: true}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1"},
		{"a constant that both branches write", `
		- name: y
		  kind: conditional
		  condition_expression: context.ok
		  branches:
		    true: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]
		    false: [{name: y2, agent: {id: context_set, params: {path: kind, value: a}}}]` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a constant that one branch writes", `
		- name: y
		  kind: conditional
		  condition_expression: context.ok
		  branches:
		    true: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]
		    false: []` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends e f"},
		{"a condition that is known in a branch", `
		- name: y
		  kind: conditional
		  condition_expression: context.kind
		  branches:
		    a: [{name: y1, kind: loop, loop: {max_loops: 2, exit_expression: "context.kind == 'b'", body: []}}]
		    b: []
`, "", "ends done; endless y1"},
		{"a name that is not followed any more where a condition reads it beside a default", `
		- {name: z, kind: conditional, condition_expression: "context.n > 1", branches: {"true": [], "false": []}}
		- {name: y, kind: conditional, condition_expression: "context.get('n', 2) > 1 and context.n < 5", branches: {maybe: []}, default_branch: []}
`, "", "ends done"},
		{"a name that is not followed any more where no branch is taken", `
		- {name: z, kind: conditional, condition_expression: "context.n > 1", branches: {"true": [], "false": []}}
		- {name: y, kind: conditional, condition_expression: "context.n > 1", branches: {maybe: []}}
`, "", "endless y"},
		{"a guard that contradicts another one over a copy, where no context is declared", machine + `
		  states:
		    s: [{name: y, agent: {id: context_set, params: {path: second, value: "{{ context.first }}"}}}]
		    g: []
		  transitions:
		    - {from: s, on: success, to: g, when: "context.first > 5"}
		    - {from: s, on: success, to: f}
		    - {from: g, on: success, to: e, when: "context.second < 3"}
		    - {from: g, on: success, to: f}
`, "", "ends f; missing context.first; unreached e; dead g success e"},
		{"a conditional without a branch for a key that comes", `
		- {name: z, agent: {id: context_set, params: {path: kind, value: b}}}
		- {name: y, kind: conditional, condition_expression: context.kind, branches: {a: []}}
`, "", "endless y"},
		{"the first branch of a group is kept", `
		- name: y
		  kind: parallel
		  merge_strategy: KEEP_FIRST
		  branches:
		    one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]
		    two: [{name: y2, agent: {id: context_set, params: {path: kind, value: b}}}]
		- {name: x, kind: conditional, condition_expression: context.kind, branches: {a: [{name: x1, input: go}], b: [{name: x2, input: go}]}}
`, "", "ends done"},
		{"nothing of a group without a merge is kept", `
		- {name: z, agent: {id: context_set, params: {path: kind, value: a}}}
		- name: y
		  kind: parallel
		  merge_strategy: NO_MERGE
		  branches:
		    one: [{name: y1, agent: {id: context_set, params: {path: kind, value: b}}}]` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"an end that is too far away", `
		- name: m
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  max_steps: 1
		  states: {s: [], t: []}
		  transitions: [{from: s, on: success, to: t}, {from: t, on: success, to: e}]
`, "", "endless m"},
		{"a state that only a failure leaves", machine + `
		  states: {s: [{name: y, uses: agents.judge}]}
		  transitions: [{from: s, on: success, to: s}, {from: s, on: failure, to: e}]
`, "", "endless m; unreached f"},
		{"a row on failure where no step can fail", machine + `
		  states: {s: [{name: y, input: go}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: failure, to: f}]
`, "", "ends e; unreached f; dead s failure f"},
		{"a row on pause where nobody is asked", machine + `
		  states: {s: [{name: y, input: go}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: pause, to: f}]
`, "", "ends e; unreached f; dead s pause f"},
		{"a row on pause where a person is asked", machine + `
		  states: {s: [{name: y, kind: conditional, condition_expression: context.ok, branches: {true: [{name: y1, kind: hitl, message: "Well?"}], false: []}}]}
		  transitions: [{from: s, on: success, to: e}, {from: s, on: pause, to: f}]
`, "", "ends e f"},
		{"a machine in a state of another one", machine + `
		  states:
		    s:
		      - name: inner
		        kind: StateMachine
		        start_state: i
		        end_states: [j]
		        states: {i: [{name: y, uses: agents.judge}]}
		        transitions: [{from: i, on: success, to: j, when: "steps.y.ok"}, {from: i, on: success, to: i}]
		  transitions: [{from: s, on: success, to: e}]
`, "", "ends e; calls 1; unreached f"},
		{"a fallback ends what its step does not", `
		- {name: x, uses: agents.judge, fallback: {name: y, input: go}}
`, "", "ends done; calls 1"},
		{"a constant that an import gives back", `
		- {name: z, agent: {id: context_set, params: {path: kind, value: a}}}
		- {name: y, uses: imports.child, updates_context: true, config: {inherit_context: true, outputs: {kind: kind}}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, `
		- {name: c, agent: {id: context_set, params: {path: kind, value: b}}}
`, "ends e; unreached f; dead s success f"},
		{"what an import does not give back", `
		- {name: z, agent: {id: context_set, params: {path: kind, value: a}}}
		- {name: y, uses: imports.child, config: {inherit_context: true}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'b'"}, {from: s, on: success, to: f}]
`, `
		- {name: c, agent: {id: context_set, params: {path: kind, value: b}}}
`, "ends f; unreached e; dead s success e"},
		{"a text that is written is there: no context is declared", `
		- {name: y, uses: agents.clerk, sink_to: text}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.text == None"}, {from: s, on: success, to: f}]
`, "", "ends f; calls 1; unreached e; dead s success e"},
		{"a condition that does not tell false from none: no context is declared", `
		- {name: y, input: "{{ context.ok }}"}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "not context.ok and steps.y == 'False'"}, {from: s, on: success, to: f}]
`, "", "ends e f"},
		{"a field that a branch has for itself alone: no context is declared", `
		- name: y
		  kind: parallel
		  merge_strategy: NO_MERGE
		  branches: {one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; unwritten context.kind; missing context.kind"},
		{"a field that a branch does not copy back: no context is declared", `
		- name: y
		  kind: parallel
		  field_mapping: {one: [ok]}
		  branches: {one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; unwritten context.kind; missing context.kind"},
		{"a field that a branch writes: no context is declared", `
		- name: y
		  kind: parallel
		  branches: {one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f"},
		{"a field of a branch whose failure is ignored: no context is declared", `
		- name: y
		  kind: parallel
		  on_branch_failure: IGNORE
		  branches: {one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}, {name: y2, uses: agents.clerk}], two: []}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1; missing context.kind"},
		{"a field of the only branch, whose failure is ignored: no context is declared", `
		- name: y
		  kind: parallel
		  on_branch_failure: IGNORE
		  branches: {one: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}, {name: y2, uses: agents.clerk}]}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1"},
		{"a field that an import gives back: no context is declared", `
		- {name: y, uses: imports.child, updates_context: true, config: {outputs: {kind: kind}}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, `
		- {name: c, agent: {id: context_set, params: {path: kind, value: a}}}
`, "ends e; unreached f; dead s success f"},
		{"a field that an import gives back unless it fails: no context is declared", `
		- {name: y, uses: imports.child, updates_context: true, config: {outputs: {kind: kind}, on_failure: skip}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, `
		- {name: c, agent: {id: context_set, params: {path: kind, value: a}}}
`, "ends e f; missing context.kind"},
		{"a field that an import has for itself alone: no context is declared", `
		- {name: y, uses: imports.child}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, `
		- {name: c, agent: {id: context_set, params: {path: kind, value: a}}}
`, "ends e f; missing context.kind"},
		{"an output of the body of a map over a list that may be empty", `
		- {name: y, kind: map, map: {iterable_input: list, body: [{name: y1, uses: agents.judge}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y1.ok"}, {from: s, on: success, to: f, when: "steps.y1.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1; missing steps.y1.kind"},
		{"an output of the body of a map over a list with items", `
		- {name: x, agent: {id: context_set, params: {path: list, value: [a]}}}
		- {name: y, kind: map, map: {iterable_input: list, body: [{name: y1, uses: agents.judge}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y1.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1"},
		{"a map over an empty list", `
		- {name: x, agent: {id: context_set, params: {path: list, value: []}}}
		- {name: y, kind: map, map: {iterable_input: list, body: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y1.value == 'a'"}, {from: s, on: success, to: f}]
`, "", "missing steps.y1.value; endless m; unreached e; unreached f; dead s success e; dead s success f"},
		{"a map over a list that one branch writes: no context is declared", `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  branches:
		    true: [{name: x1, agent: {id: context_set, params: {path: list, value: [a]}}}]
		    false: []
		- {name: y, kind: map, map: {iterable_input: list, body: [{name: y1, input: go}]}}
`, "", "ends done; missing context.ok; missing list"},
		{"an output of the body of a loop", `
		- {name: y, kind: loop, loop: {max_loops: 2, exit_expression: "steps.y1.ok", body: [{name: y1, uses: agents.judge}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y1.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1"},
		{"an output of a step that may have failed", machine + `
		  states: {s: [{name: y, uses: agents.judge}, {name: z, uses: agents.clerk}], t: []}
		  transitions:
		    - {from: s, on: success, to: e}
		    - {from: s, on: failure, to: t}
		    - {from: t, on: success, to: e, when: "steps.y.kind == 'a'"}
		    - {from: t, on: success, to: f}
`, "", "ends e f; calls 2; missing steps.y.kind"},
		{"an output of a step that has failed", machine + `
		  states: {s: [{name: y, uses: agents.judge}], t: []}
		  transitions:
		    - {from: s, on: success, to: e}
		    - {from: s, on: failure, to: t}
		    - {from: t, on: success, to: e, when: "steps.y.kind == 'a'"}
		    - {from: t, on: success, to: f}
`, "", "ends e; calls 1; unwritten steps.y.kind; missing steps.y.kind; unreached f; dead t success e; dead t success f"},
		{"an output of a step whose fallback has another name", `
		- {name: y, uses: agents.judge, fallback: {name: z, input: go}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.z == 'a'"}, {from: s, on: success, to: f}]
`, "", "missing steps.z; endless m; unreached e; dead s success e"},
		{"an output of one branch of a conditional", `
		- {name: y, kind: conditional, condition_expression: context.ok, branches: {true: [{name: y1, uses: agents.judge}], false: []}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y1.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f; calls 1; missing steps.y1.kind"},
		{"an output of one branch that is read where the branch was taken", `
		- {name: y, kind: conditional, condition_expression: context.ok, branches: {true: [{name: y1, uses: agents.judge}], false: []}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.ok and steps.y1.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends e f"},
		{"a union of an object and a text", `
		- {name: w, input: go}
		- {name: y, kind: parallel, reduce: union, branches: {one: [{name: y1, input: {a: b}}], two: []}}
`, "", "endless y"},
		{"a union of two objects", `
		- {name: y, kind: parallel, reduce: union, branches: {one: [{name: y1, input: {a: b}}], two: [{name: y2, input: {c: d}}]}}
`, "", "ends done"},
		{"a union without the branch that fails", `
		- {name: y, kind: parallel, reduce: union, on_branch_failure: IGNORE, branches: {one: [{name: y1, input: {a: b}}], two: [{name: y2, uses: agents.clerk}]}}
`, "", "endless y"},
		{"the first one of constants", `
		- {name: y, kind: parallel, reduce: first, branches: {one: [{name: y1, input: a}], two: [{name: y2, input: b}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"an object of constants", `
		- {name: y, kind: parallel, branches: {one: [{name: y1, input: a}], two: [{name: y2, uses: agents.judge}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y.one == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; calls 1; unreached e; dead s success e"},
		{"what is read of a context", `
		- {name: x, agent: {id: context_set, params: {path: kind, value: a}}}
		- {name: y, agent: {id: context_get, params: {path: kind}}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a method of a constant", `
		- {name: x, agent: {id: context_set, params: {path: text, value: a}}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.text.upper() == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"two constants that are compared", `
		- {name: x, agent: {id: context_set, params: {path: text, value: a}}}
		- {name: y, input: b}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.text == steps.y"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a conditional over a comparison of a constant", `
		- {name: x, agent: {id: context_set, params: {path: n, value: 5}}}
		- name: y
		  kind: conditional
		  condition_expression: context.n > 7
		  branches: {true: [{name: y1, agent: {id: context_set, params: {path: kind, value: a}}}], false: [{name: y2, agent: {id: context_set, params: {path: kind, value: b}}}]}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "context.kind == 'a'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a conditional over a method of a constant", `
		- {name: x, agent: {id: context_set, params: {path: text, value: a}}}
		- {name: y, kind: conditional, condition_expression: "context.text.upper()", branches: {a: [{name: y1, input: go}]}}
`, "", "endless y"},
		{"the output of a conditional whose branches give constants", `
		- {name: y, kind: conditional, condition_expression: context.ok, branches: {true: [{name: y1, input: a}], false: [{name: y2, input: b}]}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y == 'c'"}, {from: s, on: success, to: f, when: "context.ok and steps.y == 'b'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e; dead s success f"},
		{"the output of a conditional with an empty branch", `
		- {name: x, input: a}
		- {name: y, kind: conditional, condition_expression: context.ok, branches: {true: [{name: y1, input: b}], false: []}}` + machine + `
		  states: {s: []}
		  transitions: [{from: s, on: success, to: e, when: "steps.y == 'c'"}, {from: s, on: success, to: f}]
`, "", "ends f; unreached e; dead s success e"},
		{"a builtin step that refuses a constant", `
		- {name: w, input: go}
		- {name: y, agent: {id: aggregate, params: {operation: sum, data: "{{ steps.w }}"}}}
`, "", "endless y"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := c.load(t)
			if got := factsOf(flow.Analyze(p, flow.Guess{}), p.AgentByName("flow")); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// loadSmall loads a project that can be read.
func loadSmall(t *testing.T, files fstest.MapFS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(files, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s", d.Span.File.Path, d.Message)
		}
	}

	return p
}

// factsOf writes what is found out about a workflow.
func factsOf(p *flow.Program, a *ir.Agent) string {
	var parts []string
	w := a.Node.(*ir.Flow)
	if !slices.ContainsFunc(w.Body.Tasks, p.IsEndless) {
		parts = append(parts, "ends "+strings.Join(p.Outcomes(a).Keys(), " "))
	}
	if calls := p.Calls(a); calls > 0 {
		parts = append(parts, fmt.Sprint("calls ", calls))
	}
	read := map[string]bool{}
	note := func(what string, access *ir.Access) {
		if !read[what+access.Written] {
			read[what+access.Written] = true
			parts = append(parts, what+access.Written)
		}
	}
	for _, access := range p.FindUnwritten(w) {
		note("unwritten ", access)
	}
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		visit := func(access *ir.Access) {
			if p.MayBeMissing(access) {
				note("missing ", access)
			}
		}
		for _, condition := range task.Conditions() {
			condition.Walk(visit)
		}
		if loop, isLoop := task.Do.(*ir.Loop); isLoop && loop.IsForEach() {
			ir.WalkAccesses(loop.Over, visit)
		}
	})
	var machines []*flow.Machine
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		if p.IsEndless(task) {
			parts = append(parts, "endless "+task.Name.Value)
		}
		if m, isMachine := task.Do.(*ir.Machine); isMachine {
			machines = append(machines, p.Machine(m))
		}
	})
	for _, m := range machines {
		for _, s := range m.States {
			if !s.Reached {
				parts = append(parts, "unreached "+s.Name.Value)
			}
		}
		for _, s := range m.States {
			for _, move := range s.Moves {
				if move.Dead != flow.Alive && move.Row != nil {
					parts = append(parts, fmt.Sprintf("dead %s %s %s", s.Name.Value, move.Row.Key.Value, move.Row.To.Value))
				}
			}
		}
	}

	return strings.Join(parts, "; ")
}
