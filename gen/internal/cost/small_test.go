package cost_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
		{"items in branches, whose failures are left out", `
		- name: x
		  kind: map
		  map: {iterable_input: list, max_concurrency: 2, on_item_failure: skip, body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}
`, "", "2 calls, 200 tokens"},
		{"a loop with a condition before each turn", `
		- {name: x, kind: loop, loop: {max_loops: 3, while: "not context.ok", body: [{name: y, uses: agents.clerk, config: {max_retries: 0}}]}}
`, "", "3 calls, 300 tokens"},
		{"a number of turns, which the steps read", `
		- {name: x, kind: loop, loop: {repeat: 3, body: [{name: y, uses: agents.clerk, input: "{{ loop.index }}", config: {max_retries: 0}}]}}
`, "", "3 calls, 300 tokens"},
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
			for _, e := range cost.BoundEntries(p, cost.Options{Attempts: 1}) {
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
		for _, e := range cost.BoundEntries(load(t, emittest.SmallWorkflow(steps, "")), cost.Options{Attempts: 1}) {
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
	for _, e := range cost.BoundEntries(p, cost.Options{Attempts: 1, Input: input}) {
		if e.Most.Input < input {
			t.Errorf("%s is given at most %v tokens, and the caller gives it %d", e.Name, e.Most.Input, input)
		}
	}
}

// TestSmallPatterns: each case is an agent of a pattern, and the most calls of models and tokens of
// output that it uses where each call is tried once. A reply has 100 tokens at most. A conversation
// is one call, and up to three where the body of AGENT.md is a oneshot, whose faulty replies are
// repaired.
func TestSmallPatterns(t *testing.T) {
	const plan, scatter = "pattern: plan-execute\nmax_items: 4\n", "pattern: scatter\nworker: clerk\nmax_iter: 1\n"
	cases := []struct{ name, head, steps, want string }{
		{"steps one after another", "pattern: critic", "draft critique refine", "3 calls, 300 tokens"},
		{"a revision", "pattern: constitutional", "critique revise", "5 calls, 500 tokens"},
		{"the last try is not judged", "pattern: reflexion\nmax_iter: 1", "act reflect", "1 calls, 100 tokens"},
		{"each try but the last is judged", "pattern: reflexion\nmax_iter: 3", "act reflect", "5 calls, 500 tokens"},
		{"tries that are counted", "pattern: reflexion\nmax_iter: 1000", "act reflect", "1,999 calls, 199,900 tokens"},
		{"a plan", plan + "max_iter: 1", "execute verify", "8 calls, 800 tokens"},
		{"each plan", plan + "max_iter: 2", "execute verify", "16 calls, 1,600 tokens"},
		{"a long plan", "pattern: plan-execute\nmax_items: 900\nmax_iter: 1", "execute verify", "904 calls, 90,400 tokens"},
		{"each claim", "pattern: chain-of-verification\nmax_items: 7", "verify check revise", "12 calls, 1,200 tokens"},
		{"one item", scatter + "max_items: 1", "reduce", "3 calls, 300 tokens"},
		{"several items", scatter + "max_items: 5", "reduce", "7 calls, 700 tokens"},
		{"agents side by side", "pattern: parallel\nworkers: [clerk, judge]", "", "2 calls, 200 tokens"},
		{"one round", "pattern: debate\nagents: [clerk, judge]\njudge: clerk", "", "3 calls, 300 tokens"},
		{"several rounds", "pattern: debate\nagents: [clerk, judge]\njudge: clerk\nrounds: 5", "", "11 calls, 1,100 tokens"},
		{"many rounds", "pattern: debate\nagents: [clerk, judge]\njudge: clerk\nrounds: 100", "", "201 calls, 20,100 tokens"},
		{"variants", "pattern: best-of-n\nn: 6\nmax_iter: 1", "judge", "7 calls, 700 tokens"},
		{"a question", "pattern: human\nmax_iter: 1", "resume", "2 calls, 200 tokens"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, e := range cost.BoundEntries(load(t, smallPattern(c.head, c.steps)), cost.Options{Attempts: 1}) {
				if got := fmt.Sprintf("%v calls, %v tokens", e.Most.Calls, e.Most.Output); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}

// TestSmallPatternInputs: what models are given shows which sizes a text has. Each case says how often
// the text of a task is given to a model.
func TestSmallPatternInputs(t *testing.T) {
	for _, c := range []struct {
		name, head, steps string
		times             cost.Amount
	}{
		{"the critique does not know the task", "pattern: critic", "draft critique refine", 2},
		{"each try and each judge know the task", "pattern: reflexion\nmax_iter: 3", "act reflect", 5},
		{"the rounds of a debate and its judge", "pattern: debate\nagents: [clerk, judge]\njudge: clerk\nrounds: 5", "", 11},
		{"the judge; variants of one turn do not ask for the task", "pattern: best-of-n\nn: 6\nmax_iter: 1", "judge", 1},
		{"the plan, its steps and the verdict", "pattern: plan-execute\nmax_items: 4\nmax_iter: 1", "execute verify", 8},
	} {
		got := patternInput(t, c.head, c.steps, 2000) - patternInput(t, c.head, c.steps, 1000)
		if got < c.times*1000 || got > c.times*1000+20 { // marks around a longer text are longer
			t.Errorf("%s: 1,000 tokens more are %v more of input, want %v times as many", c.name, got, c.times)
		}
	}
}

// TestItemsHaveASizeTogether: a worker more has an empty item, because another one has all of the
// list. The model that reads all results reads one more.
func TestItemsHaveASizeTogether(t *testing.T) {
	const scatter = "pattern: scatter\nworker: clerk\nmax_iter: 1\nmax_items: "
	const worker, result = 46, 2570
	got := patternInput(t, scatter+"3", "reduce", 1000) - patternInput(t, scatter+"2", "reduce", 1000)
	if got != worker+result {
		t.Errorf("it is given %v tokens more, want %d", got, worker+result)
	}
}

// TestListsMayEndBehindAnyItem: what a pattern keeps of the last item may be all of a list, which may
// have one item.
func TestListsMayEndBehindAnyItem(t *testing.T) {
	inputOf := func(given func(plan, last *ir.Output) *ir.Output) cost.Amount {
		p := load(t, smallPattern("pattern: plan-execute\nmax_items: 9\nmax_iter: 1", "execute verify"))
		last := ir.NewOutput("last")
		var plan *ir.Output
		ir.WalkTasks(p.Entry.Node.(*ir.Flow).Body, func(t *ir.Task) {
			switch t.Name.Value {
			case "plan":
				plan = t.Output
			case "steps":
				loop := t.Do.(*ir.Loop)
				keep := &ir.Task{Output: last, Do: &ir.PassOn{}, Input: ir.ExpressionDatum(ir.ItemAccess(loop.Item))}
				loop.Body.Tasks = append(loop.Body.Tasks, keep)
			case "verdict":
				t.Input = ir.ExpressionDatum(ir.OutputAccess(given(plan, last)))
			}
		})
		return cost.BoundEntries(p, cost.Options{Attempts: 1})[0].Most.Input
	}
	ofPlan := inputOf(func(plan, _ *ir.Output) *ir.Output { return plan })
	ofLast := inputOf(func(_, last *ir.Output) *ir.Output { return last })
	if ofLast != ofPlan {
		t.Errorf("with the last item models are given %v tokens, with all of the list %v", ofLast, ofPlan)
	}
}

// patternInput returns how many tokens the models of a small pattern are given at most.
func patternInput(t *testing.T, head, steps string, input cost.Amount) cost.Amount {
	t.Helper()

	return cost.BoundEntries(load(t, smallPattern(head, steps)), cost.Options{Attempts: 1, Input: input})[0].Most.Input
}

// smallPattern returns a project with the agent flow of a pattern, its step files, and two agents
// that it can run.
func smallPattern(head, steps string) fstest.MapFS {
	files := fstest.MapFS{
		"agentc.yaml": {Data: []byte("entrypoint: flow\nmodels: {default: {name: \"openai:gpt-4o-mini\", max_tokens: 100}}\n")},
	}
	add := func(path, head string) {
		files["agents/"+path] = &fstest.MapFile{Data: []byte("---\n" + head + "\n---\n\nDo your part.\n")}
	}
	for _, agent := range [][2]string{{"flow", head}, {"clerk", oneCall}, {"judge", oneCall}} {
		add(agent[0]+"/AGENT.md", "name: "+agent[0]+"\ndescription: Does its part.\nversion: \"1.0.0\"\n"+agent[1])
	}
	for _, step := range strings.Fields(steps) {
		head := oneCall
		if step == "resume" { // which is always a react loop
			head = "max_iter: 1"
		}
		add("flow/"+step+".md", head)
	}

	return files
}

// oneCall makes a conversation one call of a model.
const oneCall = "pattern: oneshot\nrepair: 0"
