package can_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestSmallWorkflows: each case is a workflow of a few steps, in which the text of a page gets, or does not get, to the steps that write a
// file. want are the names of the steps that it gets to.
func TestSmallWorkflows(t *testing.T) {
	const read = `
		- {name: read, agent: {id: http_get}, input: "https://example.org"}
`
	const keep = `
		- {name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}
`
	const write = `
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}
`
	const constant = `{name: set, agent: {id: context_set, params: {path: text, value: nothing}}}`
	cases := []struct{ name, steps, child, want string }{
		{"the output of the step before", read + `
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ previous_step }}"}}
`, "", "write"},
		{"a constant", read + `
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: nothing}}
`, "", ""},
		{"the output of a step", read + `
		- {name: between, input: go}
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.read }}"}}
`, "", "write"},
		{"a field of the context", keep + write, "", "write"},
		{"before anything is read", write + keep, "", ""},
		{"another field", keep + `
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.kind }}"}}
`, "", ""},
		{"a field that is overwritten", keep + "\n- " + constant + write, "", ""},
		{"a field that one branch overwrites", keep + `
		- {name: x, kind: conditional, condition_expression: context.ok, branches: {true: [` + constant + `], false: []}}
` + write, "", "write"},
		{"a field that both branches overwrite", keep + `
		- {name: x, kind: conditional, condition_expression: context.ok, branches: {true: [` + constant + `], false: [` + constant + `]}}
` + write, "", ""},
		{"what an agent answers with", keep + `
		- {name: x, uses: agents.clerk, input: "{{ context.text }}"}
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.x }}"}}
`, "", "write"},
		{"a verdict of an agent", keep + `
		- {name: x, uses: agents.judge, input: "{{ context.text }}"}
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.x.kind }}"}}
`, "", ""},
		{"what a person answers with", keep + `
		- {name: x, kind: hitl, message: "Well?"}
		- {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.x }}"}}
`, "", ""},
		{"behind a person who is shown the text", keep + `
		- {name: x, kind: hitl, message: "Write {{ context.text }}?"}
` + write, "", ""},
		{"the turn of a loop before", `
		- name: x
		  kind: loop
		  loop:
		    max_loops: 2
		    exit_expression: context.ok
		    body:
		      - {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}
		      - {name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}
`, "", "write"},
		{"an item of a list", keep + `
		- name: x
		  kind: map
		  map: {iterable_input: list, body: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}]}
`, "", "write"},
		{"a branch of a group without a merge", `
		- name: x
		  kind: parallel
		  merge_strategy: NO_MERGE
		  branches: {one: [{name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}]}
` + write, "", ""},
		{"a branch of a group that is merged", `
		- name: x
		  kind: parallel
		  merge_strategy: OVERWRITE
		  branches: {one: [{name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}], two: []}
` + write, "", "write"},
		{"a machine in which the text is written first", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states:
		    s: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}]
		    t: [{name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}]
		  transitions: [{from: s, on: success, to: t}, {from: t, on: success, to: e}]
`, "", ""},
		{"a machine in which a row leads back", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states:
		    s: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}]
		    t: [{name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}]
		  transitions: [{from: s, on: success, to: t}, {from: t, on: success, to: e, when: context.ok}, {from: t, on: success, to: s}]
`, "", "write"},
		{"what an import is not given", keep + `
		- {name: x, uses: imports.child, input: go}
`, write, ""},
		{"what an import inherits", keep + `
		- {name: x, uses: imports.child, input: go, config: {inherit_context: true}}
`, write, "write"},
		{"what an import gives back", `
		- {name: x, uses: imports.child, input: go, updates_context: true, config: {inherit_context: true, outputs: {text: text}}}
` + write, keep, "write"},
		{"what an import gives back under another name", `
		- {name: x, uses: imports.child, input: go, updates_context: true, config: {inherit_context: true, outputs: {kind: kind}}}
` + write, keep, ""},
		{"what an import does not give back", `
		- {name: x, uses: imports.child, input: go, config: {inherit_context: true}}
` + write, keep, ""},
		{"an item of a list in which another list is gone through", read + `
		- {name: fill, agent: {id: context_set, params: {path: list, value: ["{{ steps.read }}"]}}}
		- name: x
		  kind: map
		  map:
		    iterable_input: list
		    body:
		      - {name: empty, agent: {id: context_set, params: {path: list, value: [nothing]}}}
		      - name: y
		        kind: map
		        map:
		          iterable_input: list
		          body: [{name: inner, agent: {id: fs_write_file}, input: {path: note, content: "{{ this }}"}}]
		      - {name: outer, agent: {id: fs_write_file}, input: {path: note, content: "{{ this }}"}}
`, "", "outer"},
		{"what a step around others is given", read + `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  input: go
		  branches: {true: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ previous_step }}"}}], false: []}
		- {name: behind, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.read }}"}}
`, "", "behind"},
		{"what a step inside of one is given", read + `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  branches: {true: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ previous_step }}"}}], false: []}
`, "", "write"},
		{"what an import that fails has copied", `
		- name: x
		  uses: imports.child
		  input: go
		  updates_context: true
		  config: {outputs: {text: text, kind: kind}}
		  fallback: {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}
`, keep, "write"},
		{"what a fallback of a fallback is given", read + `
		- name: x
		  uses: agents.judge
		  fallback:
		    name: y
		    uses: agents.judge
		    fallback: {name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ previous_step }}"}}
`, "", "write"},
		{"what a row on failure finds", `
		- name: x
		  kind: StateMachine
		  start_state: s
		  end_states: [e]
		  states:
		    s: [{name: read, agent: {id: http_get}, input: "https://example.org", sink_to: text}, {name: y, uses: agents.clerk, input: go}]
		    t: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ context.text }}"}}]
		  transitions: [{from: s, on: success, to: e}, {from: s, on: failure, to: t}, {from: t, on: success, to: e}]
`, "", "write"},
		{"what a fallback has read", `
		- {name: x, uses: agents.clerk, input: go, sink_to: text, fallback: {name: read, agent: {id: http_get}, input: "https://example.org"}}
` + write, "", "write"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, emittest.SmallWorkflow(c.steps, c.child))
			paths := can.Flows(flow.Of(p, flow.Guess{}), []*ir.Agent{p.AgentByName("flow")}, can.Flow{From: []string{"web"}, To: []string{"write"}})
			reached := ir.Map(paths, func(path can.Path) string { return path.Agent[strings.LastIndex(path.Agent, "/")+1:] })
			if got := strings.Join(reached, " "); got != c.want {
				t.Errorf("it gets to %q, want %q", got, c.want)
			}
		})
	}
}
