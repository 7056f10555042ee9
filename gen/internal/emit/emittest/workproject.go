package emittest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// WorkflowProject returns the files of a project with a workflow: a machine whose states have steps
// of all kinds, most of which can succeed, and whose rows have guards over their outputs. The same
// seed gives the same project. A few do not compile, because a row hides another one.
func WorkflowProject(seed uint64) map[string]string {
	w := &workflowWriter{rand: rand.New(rand.NewPCG(seed, 7))}
	n := 2 + w.rand.IntN(4)
	for i := range n {
		w.states = append(w.states, fmt.Sprintf("s%d", i))
	}
	w.writeLine(0, `version: "0.1"`)
	w.writeLine(0, "agents:")
	w.writeLine(1, `writer: {model: "openai:gpt-4o-mini", system_prompt: Write.}`)
	w.writeLine(1, `judge: {model: "openai:gpt-4o-mini", system_prompt: Judge., output_schema: %s}`, verdict)
	w.writeLine(0, "imports: {child: ./child.yaml}")
	w.writeLine(0, "steps:")
	w.writeLine(1, "- kind: StateMachine")
	w.writeLine(2, "name: machine")
	w.writeLine(2, "start_state: s0")
	w.writeLine(2, "end_states: [done, failed]")
	w.writeLine(2, "states:")
	for i := range n {
		w.writeLine(3, "s%d:", i)
		w.writeSteps(4, i, 0)
	}
	w.writeRows()

	return map[string]string{"workflows/flow.yaml": w.text.String(), "workflows/child.yaml": child}
}

const verdict = `{type: object, properties: {kind: {enum: [a, b, c]}, n: {type: integer, minimum: 0, maximum: 9}, ok: {type: boolean}, ` +
	`note: {type: string}}, required: [kind, n, ok]}`

const child = `version: "0.1"
agents: {helper: {model: "openai:gpt-4o-mini", system_prompt: Help., output_schema: ` + verdict + `}}
steps:
  - kind: StateMachine
    name: inner
    start_state: ask
    end_states: [good]
    states: {ask: [{name: help, uses: agents.helper, updates_context: true}]}
    transitions:
      - {from: ask, on: success, to: good, when: "steps.help.ok"}
      - {from: ask, on: success, to: ask, when: "steps.help.kind == 'b'"}
`

type workflowWriter struct {
	rand   *rand.Rand
	text   strings.Builder
	states []string
	count  int
	// last is the newest step of each state with a verdict.
	last []string
}

func (w *workflowWriter) writeLine(depth int, format string, args ...any) {
	fmt.Fprintf(&w.text, strings.Repeat("  ", depth)+format+"\n", args...)
}

func (w *workflowWriter) newName() string {
	w.count++

	return fmt.Sprintf("n%d", w.count)
}

func (w *workflowWriter) writeSteps(depth, state, nested int) {
	last := ""
	for range 1 + w.rand.IntN(3) {
		if name := w.writeStep(depth, nested); name != "" {
			last = name
		}
	}
	if nested == 0 {
		w.last = append(w.last, last)
	}
}

// writeStep writes a step, and returns its name if it has a verdict.
func (w *workflowWriter) writeStep(depth, nested int) (name string) {
	name = w.newName()
	kind := w.rand.IntN(12)
	if nested > 0 {
		kind %= 6
	}
	switch kind {
	case 0, 1:
		w.writeLine(depth, "- {name: %s, uses: agents.judge%s}", name, w.maybeText(", updates_context: true"))
		return name
	case 2:
		w.writeLine(depth, `- {name: %s, uses: "pkg.mod:func", output_schema: %s%s}`, name, verdict, w.maybeText(", config: {max_retries: 1}"))
		return name
	case 3:
		w.writeLine(depth, `- {kind: hitl, name: %s, message: "Well?", input_schema: %s}`, name, verdict)
		return name
	case 4:
		w.writeLine(depth, "- {name: %s, uses: agents.writer%s}", name, w.maybeText(", fallback: {name: "+w.newName()+", input: spare}"))
	case 5:
		w.writeLine(depth, "- {name: %s, input: %q, sink_to: place}", name, "{{ previous_step }}")
	case 6:
		w.writeLine(depth, "- kind: loop")
		w.writeLine(depth+1, "name: %s", name)
		w.writeLine(depth+1, "loop: {max_loops: 2, exit_expression: \"%s.ok\", body: [{name: %s, uses: agents.judge}]}", "steps."+name+"x", name+"x")
	case 7:
		inner := w.newName()
		w.writeLine(depth, "- {name: %s, uses: agents.judge}", inner)
		w.writeLine(depth, "- kind: conditional")
		w.writeLine(depth+1, "name: %s", name)
		w.writeLine(depth+1, "condition_expression: steps.%s.kind", inner)
		w.writeLine(depth+1, "branches:")
		w.writeLine(depth+2, "a:")
		w.writeSteps(depth+3, 0, nested+1)
		if w.rand.IntN(2) == 0 {
			w.writeLine(depth+1, "default_branch: []")
		}
	case 8:
		w.writeLine(depth, "- kind: parallel")
		w.writeLine(depth+1, "name: %s", name)
		w.writeLine(depth+1, "merge_strategy: OVERWRITE")
		w.writeLine(depth+1, "branches:")
		for _, branch := range []string{"left", "right"} {
			w.writeLine(depth+2, "%s:", branch)
			w.writeSteps(depth+3, 0, nested+1)
		}
	case 9:
		w.writeLine(depth, "- {name: %s, agent: {id: context_set, params: {path: next_state, value: %s}}}", name, w.randomState())
	case 10:
		w.writeLine(depth, "- {name: %s, uses: imports.child%s}", name, w.maybeText(", updates_context: true, config: {outputs: [{child: n, parent: n}]}"))
	default:
		w.writeLine(depth, "- {name: %s, uses: agents.writer, sink_to: text}", name)
	}

	return ""
}

func (w *workflowWriter) maybeText(text string) string {
	if w.rand.IntN(3) == 0 {
		return text
	}

	return ""
}

func (w *workflowWriter) randomState() string {
	all := append([]string{"done", "failed"}, w.states...)

	return all[w.rand.IntN(len(all))]
}

// writeRows writes rows with guards for each state, then rows from "*".
func (w *workflowWriter) writeRows() {
	w.writeLine(2, "transitions:")
	for i, state := range w.states {
		for range w.rand.IntN(3) {
			w.writeLine(3, "- {from: %s, on: %s, to: %s, when: %q}", state, w.randomEvent(), w.randomState(), w.randomGuard(w.last[i]))
		}
		if w.rand.IntN(3) > 0 {
			w.writeLine(3, "- {from: %s, on: success, to: %s}", state, w.randomState())
		}
	}
	w.writeLine(3, "- {from: \"*\", on: success, to: done, when: \"context.n == 7\"}")
	if w.rand.IntN(2) == 0 {
		w.writeLine(3, "- {from: \"*\", on: failure, to: %s}", w.randomState())
	}
}

func (w *workflowWriter) randomEvent() string {
	return []string{"success", "success", "success", "failure", "pause"}[w.rand.IntN(5)]
}

func (w *workflowWriter) randomGuard(step string) string {
	if step == "" {
		return []string{"context.text == 'go'", "not context.place", "output.last_step.success"}[w.rand.IntN(3)]
	}
	guards := []string{"%s.kind == 'b'", "%s.n > 5", "%s.ok", "%s.kind in ['a', 'c'] and %s.n <= 3", "not %s.ok or %s.n == 4", "%s.note.startswith('x')"}

	return strings.ReplaceAll(guards[w.rand.IntN(len(guards))], "%s", "steps."+step)
}
