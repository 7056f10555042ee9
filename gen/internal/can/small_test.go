package can_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
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
		{"a field that steps inside of another do not touch", keep + `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  branches: {true: [{name: y, uses: agents.judge, input: go}], false: [{name: z, uses: agents.judge, input: go}]}
` + write, "", "write"},
		{"the output of a step that is read inside of another", read + `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  input: go
		  branches: {true: [{name: write, agent: {id: fs_write_file}, input: {path: note, content: "{{ steps.read }}"}}], false: []}
`, "", "write"},
		{"what an import inside of another step inherits", keep + `
		- name: x
		  kind: conditional
		  condition_expression: context.ok
		  branches: {true: [{name: y, uses: imports.child, input: go, config: {inherit_context: true}}], false: []}
`, write, "write"},
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
			paths := can.FindFlows(flow.Analyze(p, flow.Guess{}), []*ir.Agent{p.AgentByName("flow")}, can.Flow{From: []string{"web"}, To: []string{"write"}})
			reached := ir.Map(paths, func(path can.Path) string { return path.Agent[strings.LastIndex(path.Agent, "/")+1:] })
			if got := strings.Join(reached, " "); got != c.want {
				t.Errorf("it gets to %q, want %q", got, c.want)
			}
		})
	}
}

// TestSmallPatterns: each case is an agent of a pattern whose conversations can read pages or write
// files. want are the conversations to which the text of a page gets that write. The agents reader,
// writer and clerk are conversations, too; keeper and finder read and write, and the one stores in
// the memory what the other finds there.
func TestSmallPatterns(t *testing.T) {
	cases := []struct {
		name, head string
		// steps are the step files, each with its skills.
		steps map[string]string
		want  string
	}{
		{"critic: the refinement knows the draft", "pattern: critic", map[string]string{"draft": "browser", "critique": "", "refine": "desk"}, "flow/refine"},
		{"critic: the draft is first", "pattern: critic", map[string]string{"draft": "desk", "critique": "", "refine": "browser"}, ""},
		{"constitutional: the revision knows the critique", "pattern: constitutional", map[string]string{"critique": "browser", "revise": "desk"}, "flow/revise"},
		{"constitutional: the critique does not know the revision", "pattern: constitutional", map[string]string{"critique": "desk", "revise": "browser"}, ""},
		{"reflexion: the next try knows the feedback", "pattern: reflexion\nmax_iter: 2", map[string]string{"act": "desk", "reflect": "browser"}, "flow/act"},
		{"reflexion: the last try is not judged", "pattern: reflexion\nmax_iter: 1", map[string]string{"act": "desk", "reflect": "browser"}, ""},
		{"reflexion: a limit that is far away", "pattern: reflexion\nmax_iter: 1000", map[string]string{"act": "browser", "reflect": "desk"}, "flow/reflect"},
		{"plan-execute: the verdict knows the results", "pattern: plan-execute\nmax_iter: 1", map[string]string{"execute": "browser", "verify": "desk"}, "flow/verify"},
		{"plan-execute: the next cycle knows the verdict", "pattern: plan-execute\nmax_iter: 2", map[string]string{"execute": "desk", "verify": "browser"}, "flow/execute"},
		{"plan-execute: the last cycle is followed by none", "pattern: plan-execute\nmax_iter: 1", map[string]string{"execute": "desk", "verify": "browser"}, ""},
		{
			"chain-of-verification: the revision knows the checks", "pattern: chain-of-verification",
			map[string]string{"verify": "", "check": "browser", "revise": "desk"}, "flow/revise",
		},
		{
			"chain-of-verification: the checks know the claims", "pattern: chain-of-verification",
			map[string]string{"verify": "browser", "check": "desk", "revise": ""}, "flow/check",
		},
		{"scatter: the reduction knows the results", "pattern: scatter\nworker: reader", map[string]string{"reduce": "desk"}, "flow/reduce"},
		{"scatter: the workers do not know the reduction", "pattern: scatter\nworker: writer", map[string]string{"reduce": "browser"}, ""},
		{"scatter: the workers know their items", "pattern: scatter\nworker: writer\ncall: {uses: [browser]}", map[string]string{"reduce": ""}, "writer"},
		{"parallel: workers do not know each other", "pattern: parallel\nworkers: [reader, writer]", nil, ""},
		{"parallel: workers have one memory", "pattern: parallel\nworkers: [keeper, finder]", nil, "finder"},
		{"debate: nobody knows the same round", "pattern: debate\nagents: [reader, writer]\njudge: clerk", nil, ""},
		{"debate: the next round knows the one before", "pattern: debate\nagents: [reader, writer]\njudge: clerk\nrounds: 2", nil, "writer"},
		{"debate: the judge knows all", "pattern: debate\nagents: [reader]\njudge: writer", nil, "writer"},
		{"best-of-n: the judge knows the variants", "pattern: best-of-n\nn: 2\ncall: {uses: [browser]}", map[string]string{"judge": "desk"}, "flow/judge"},
		{"best-of-n: variants do not know the judge", "pattern: best-of-n\nn: 2\ncall: {uses: [desk]}", map[string]string{"judge": "browser"}, ""},
		{"human: the person has seen the question", "pattern: human\ncall: {uses: [browser]}", map[string]string{"resume": "desk"}, ""},
		{"human: what is in the memory is not shown", "pattern: human\ncall: {uses: [browser, notes]}", map[string]string{"resume": "notes, desk"}, "flow/resume"},
		{"a group all of whose runs fail", "pattern: debate\nagents: [verdicts]\njudge: writer", nil, "writer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, smallPattern(t, c.head, c.steps))
			paths := can.FindFlows(flow.Analyze(p, flow.Guess{}), []*ir.Agent{p.AgentByName("flow")}, can.Flow{From: []string{"web"}, To: []string{"write"}})
			reached := ir.Map(paths, func(path can.Path) string { return path.Agent })
			if got := strings.Join(reached, " "); got != c.want {
				t.Errorf("it gets to %q, want %q", got, c.want)
			}
		})
	}
}

// smallPattern returns the project of a case of [TestSmallPatterns].
func smallPattern(t *testing.T, head string, steps map[string]string) fstest.MapFS {
	t.Helper()
	g := &generator{files: casetest.Read(t, "testdata/programs/skills.txtar")[0].Project()}
	g.write("flow", head+"\n", "Do your part.")
	for step, uses := range steps {
		text := "---\npattern: react\ncall: {uses: [" + uses + "]}\n---\n\nDo your part.\n"
		g.files["agents/flow/"+step+".md"] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, uses := range map[string]string{
		"reader": "browser", "writer": "desk", "clerk": "", "keeper": "browser, notes", "finder": "notes, desk",
	} {
		g.write(name, "pattern: react\ncall: {uses: ["+uses+"]}\n", "Do your part.")
	}
	const verdict = "output: {type: object, properties: {sure: {type: boolean}}, required: [sure]}\n"
	g.write("picky", "pattern: react\ncall: {uses: [browser]}\n"+verdict, "Judge.")
	g.write("verdicts", "pattern: scatter\nworker: picky\n"+verdict, "Hand out.")
	g.files["agents/verdicts/reduce.md"] = &fstest.MapFile{Data: []byte("---\npattern: react\nmax_iter: 1\n---\n\nJudge.\n")}

	return g.files
}

// TestSmallMachines: each case is the rows of a machine over a reflexion that reads pages, and the agent that the text gets to.
func TestSmallMachines(t *testing.T) {
	const inner = "pattern: fsm\ninitial: try\nstates: {try: [{done: ~}, {\"*\": ~}]}\n"
	cases := []struct{ name, head, want string }{
		{"a row of the key", `states: {try: [{done: writer}], writer: ~}`, "writer"},
		{"a row of another key", `states: {try: [{done: ~}, {exhausted: clerk}], clerk: [{done: ~}, {"*": writer}], writer: ~}`, "writer"},
		{"a limit without a row", `states: {try: [{done: ~}, {"*": writer}], writer: ~}`, ""},
		{"a limit that an inner machine passes on", `states: {inner: [{exhausted: writer}, {"*": ~}], writer: ~}`, "writer"},
		{"a limit that no machine routes", `states: {inner: [{done: ~}, {"*": writer}], writer: ~}`, ""},
		{"a key of a signal", "signals: [{on: stop, do: {fire: abort}}]\n" + `states: {try: [{done: ~}, {abort: writer}], writer: ~}`, "writer"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := smallPattern(t, c.head, nil)
			g := &generator{files: files}
			g.write("try", "pattern: reflexion\nmax_iter: 2\n", "Try.")
			g.write("inner", inner, "Try.")
			initial := "try"
			if strings.Contains(c.head, "inner:") {
				initial = "inner"
			}
			g.write("flow", "pattern: fsm\ninitial: "+initial+"\n"+c.head+"\n", "Do it.")
			for step, uses := range map[string]string{"act": "browser", "reflect": ""} {
				text := "---\npattern: react\ncall: {uses: [" + uses + "]}\n---\n\nDo your part.\n"
				files["agents/try/"+step+".md"] = &fstest.MapFile{Data: []byte(text)}
			}
			p := load(t, files)
			paths := can.FindFlows(flow.Analyze(p, flow.Guess{}), []*ir.Agent{p.AgentByName("flow")}, can.Flow{From: []string{"web"}, To: []string{"write"}})
			reached := ir.Map(paths, func(path can.Path) string { return path.Agent })
			if got := strings.Join(reached, " "); got != c.want {
				t.Errorf("it gets to %q, want %q", got, c.want)
			}
		})
	}
}

// A model that gives an empty list of items is asked again, and one of claims is not: the shortest path
// past a list has an item, or has none.
func TestPathsPastLists(t *testing.T) {
	cases := []struct {
		head  string
		steps map[string]string
		want  []string
	}{
		{"pattern: scatter\nworker: clerk", map[string]string{"reduce": "browser, desk"}, []string{"flow", "clerk", "flow/reduce"}},
		{
			"pattern: chain-of-verification", map[string]string{"verify": "", "check": "", "revise": "browser, desk"},
			[]string{"flow", "flow/verify", "flow/revise"},
		},
	}
	for _, c := range cases {
		p := load(t, smallPattern(t, c.head, c.steps))
		paths := can.FindFlows(flow.Analyze(p, flow.Guess{}), []*ir.Agent{p.AgentByName("flow")}, can.Flow{From: []string{"web"}, To: []string{"write"}})
		if len(paths) != 1 {
			t.Fatalf("%s: %d paths", c.head, len(paths))
		}
		runs := ir.Where(paths[0].Steps, func(s can.Step) bool { return s.Do == "run" })
		if got := ir.Map(runs, func(s can.Step) string { return s.Agent }); !slices.Equal(got, c.want) {
			t.Errorf("%s: the path runs %v, want %v", c.head, got, c.want)
		}
		if _, err := paths[0].Script(); err != nil {
			t.Errorf("%s: %v", c.head, err)
		}
	}
}
