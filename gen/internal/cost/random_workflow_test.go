package cost_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workflowProgram returns a program of random workflows, which are all entry points: pipelines, branches, loops, maps, forks, imports
// and machines, whose steps are retried, have fallbacks, and write into the context.
func workflowProgram(t *testing.T, seed uint64, size int) *ir.Program {
	t.Helper()
	files := fstest.MapFS{
		"agentc.yaml":             file("package: random\nmodels: {default: {name: \"openai:gpt-4o-mini\"}}\n"),
		"agents/reader/AGENT.md":  file(projectAgent("reader", "react")),
		"agents/speaker/AGENT.md": file(projectAgent("speaker", "oneshot")),
	}
	for i := range size {
		w := &workWriter{rand: rand.New(rand.NewPCG(seed, uint64(i))), declared: i%2 == 0}
		if i%4 > 1 { // the others import none, or else the dearest run of most would be too long to be found
			w.child = fmt.Sprintf("w%d", i-2)
		}
		text, err := json.Marshal(w.workflow())
		if err != nil {
			t.Fatal(err)
		}
		files[fmt.Sprintf("workflows/w%d.yaml", i)] = file(string(text))
	}
	many := strings.Repeat("  - {name: same, uses: agents.open, updates_context: true}\n", 20)
	files["workflows/fields.yaml"] = file(fixedAgents + many + "  - {name: last, uses: agents.writer, input: '{{ context }}'}\n")
	files["workflows/numbers.yaml"] = file(fixedAgents + "  - {name: first, uses: agents.counter}\n  - {name: last, uses: agents.writer}\n")
	files["workflows/names.yaml"] = file(fixedAgents + "  - {name: only, uses: agents.nested}\n")
	p := load(t, files)
	withModels(p)
	for _, a := range p.Agents {
		a.Scripted = true
		limit(a)
	}
	workLimits.set(p)

	return p
}

// fixedAgents begins the workflows that are not random: their replies have new fields each time, numbers with many digits, and names that
// each of several faults repeats.
const fixedAgents = `version: "0.1"
agents:
  writer: {model: "openai:gpt-4o-mini", system_prompt: Write., max_retries: 1}
  open: {model: "openai:gpt-4o-mini", system_prompt: Do., max_retries: 1, output_schema: {type: object, additionalProperties: {type: string}}}
  counter: {model: "openai:gpt-4o-mini", system_prompt: Do., max_retries: 1,
    output_schema: {type: object, properties: {list: {type: array, items: {type: number}}}, required: [list]}}
  nested: {model: "openai:gpt-4o-mini", system_prompt: Do., max_retries: 1, output_schema: {type: object, additionalProperties: {
    type: object, properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}}, required: [a, b, c, d, e, f, g, h]}}}
steps:
`

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func projectAgent(name, pattern string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: Does its part.\nversion: \"1.0.0\"\npattern: %s\n---\n\nDo it.\n", name, pattern)
}

// object is a mapping of a workflow's file, which is YAML as all JSON is.
type object = map[string]any

// workWriter writes a random workflow.
type workWriter struct {
	rand *rand.Rand
	// declared says that the context has a schema, child is the workflow that it may import.
	declared bool
	child    string
	steps    int
	// agents are those of the file, one for each step, so that models know which step they answer.
	agents object
}

// one is true in one of n cases.
func (w *workWriter) one(n int) bool { return w.rand.IntN(n) == 0 }

func (w *workWriter) name() string {
	w.steps++

	return fmt.Sprintf("n%d", w.steps)
}

// The schemas of what agents answer and of the context.
var (
	anyText = object{"type": "string"}
	verdict = object{"type": "object", "required": []string{"kind", "n", "ok"}, "properties": object{
		"kind": object{"enum": []string{"a", "b", "c"}}, "n": object{"type": "integer"}, "ok": object{"type": "boolean"},
		"note": anyText, "why": anyText,
	}}
	listed  = object{"type": "array", "maxItems": maxItems, "items": anyText}
	answers = map[string]object{
		"writer": nil, "judge": verdict,
		"lister": {"type": "object", "required": []string{"items"}, "properties": object{"items": listed}},
		"open":   {"type": "object", "additionalProperties": anyText},
		"counter": {"type": "object", "required": []string{"list"}, "properties": object{"list": object{
			"type": "array", "items": object{"type": "number"}}}},
	}
)

// uses makes a step one of an agent of its own.
func (w *workWriter) uses(step object, kind string) object {
	name := kind + "_" + step["name"].(string)
	a := object{"model": "openai:gpt-4o-mini", "system_prompt": "Do your part.", "max_retries": repair}
	if schema := answers[kind]; schema != nil {
		a["output_schema"] = schema
	}
	w.agents[name] = a
	step["uses"] = "agents." + name

	return step
}

func (w *workWriter) workflow() object {
	w.agents = object{}
	file := object{"version": "0.1", "agents": w.agents}
	if w.child != "" {
		file["imports"] = object{"child": "./" + w.child + ".yaml"}
	}
	if w.declared {
		fields := object{"items": listed}
		for name, field := range verdict["properties"].(object) {
			fields[name] = field
		}
		for i := range 3 {
			fields[fmt.Sprintf("text%d", i)] = anyText
		}
		file["context"] = object{"type": "object", "properties": fields}
	}
	steps := w.pipeline(0)
	if w.declared { // so that there is a list
		steps = append([]object{w.uses(object{"name": w.name(), "updates_context": true}, "lister")}, steps...)
	}
	if w.one(2) {
		steps = append(steps, w.machine())
	}
	file["steps"] = steps
	if w.one(3) {
		file["output"] = object{"text": w.input(nil), "last": "{{ previous_step }}", "all": []string{w.input(nil)}}
	}

	return file
}

// pipeline returns a list of steps. What a step gives is known to those behind it.
func (w *workWriter) pipeline(depth int, known ...string) []object {
	var steps []object
	for range 1 + w.rand.IntN(3) {
		step := w.step(depth, known)
		if !w.one(3) && step["input"] == nil && step["kind"] == nil && (len(steps) > 0 || depth > 0) {
			step["input"] = w.input(known)
		}
		if uses, _ := step["uses"].(string); strings.HasPrefix(uses, "agents.judge") {
			known = append(slices.Clip(known), step["name"].(string))
		}
		steps = append(steps, step)
	}
	last := steps[len(steps)-1]
	for _, step := range steps[:len(steps)-1] {
		if loop, isLoop := step["loop"].(object); isLoop && w.one(2) {
			loop["on_bound"] = object{"to": last["name"]}
		}
	}

	return steps
}

// doIt is a task that is longer than what a model is said of a wrong call, so that returning it is what costs most.
var doIt = strings.Repeat("Do it. ", 70)

// input is a template over what is known.
func (w *workWriter) input(known []string) string {
	texts := []string{"{{ previous_step }}", "Do {{ previous_step }} and {{ previous_step }}", doIt, "{{ previous_step | tojson }}", "{{ context }}"}
	if w.declared {
		texts = append(texts, "{{ context.text0 }}", "{{ context.text1 }} {{ context.note }}", "{{ context.items }}")
	}
	for _, name := range known {
		texts = append(texts, "{{ steps."+name+" }}", "{{ steps."+name+".note }} {{ steps."+name+".kind }}")
	}

	return texts[w.rand.IntN(len(texts))]
}

func (w *workWriter) step(depth int, known []string) object {
	kind := w.rand.IntN(14)
	if depth > 0 && w.one(2) || depth > 1 {
		kind %= 8
	}
	step := object{"name": w.name()}
	switch kind {
	case 0, 1, 2:
		w.extras(w.uses(step, "writer"))
	case 3, 4:
		w.uses(step, "judge")
		step["updates_context"] = w.one(2)
	case 5:
		kind := []string{"lister", "open", "counter"}[w.rand.IntN(3)]
		w.uses(step, kind)["updates_context"] = w.declared == (kind == "lister")
	case 6:
		step["uses"] = []string{"agent:reader", "agent:speaker"}[w.rand.IntN(2)]
	case 7:
		step["kind"], step["message"] = "hitl", "Well?"
		w.extras(step)
	case 8, 9:
		w.loop(step, depth, known)
	case 10:
		w.conditional(step, depth, known)
	case 11:
		step["kind"], step["merge_strategy"] = "parallel", "OVERWRITE"
		step["reduce"] = []string{"values", "first", "last", "keys"}[w.rand.IntN(4)]
		step["branches"] = object{"left": w.pipeline(depth+1, known...), "right": w.pipeline(depth+1, known...)}
	case 12:
		if w.declared {
			each := object{"iterable_input": "items", "body": w.pipeline(depth+1, known...)}
			if w.one(2) { // whose items write no context
				first, last := w.uses(object{"name": w.name()}, "writer"), w.uses(object{"name": w.name()}, "judge")
				each["max_concurrency"], each["on_item_failure"] = 1+w.rand.IntN(3), []string{"fail", "skip", "keep"}[w.rand.IntN(3)]
				w.extras(first)
				delete(first, "sink_to")
				each["body"] = []object{first, last}
			}
			step["kind"], step["map"] = "map", each
			break
		}
		step["input"] = "{{ previous_step }}"
	default:
		if w.uses(step, "writer"); w.child != "" {
			step["uses"] = "imports.child"
		}
	}

	return step
}

// extras lets a step be tried again, be replaced, or write a text into the context.
func (w *workWriter) extras(step object) {
	if step["kind"] == nil {
		step["config"] = object{"max_retries": w.rand.IntN(2)}
		if w.one(4) {
			step["fallback"] = w.uses(object{"name": w.name()}, "writer")
		}
	}
	if w.one(2) {
		step["sink_to"] = fmt.Sprintf("text%d", w.rand.IntN(3))
	}
}

func (w *workWriter) loop(step object, depth int, known []string) {
	judge := w.name()
	body := append(w.pipeline(depth+1, known...), w.uses(object{"name": judge}, "judge"))
	step["kind"] = "loop"
	loop := object{"max_loops": 2 + w.rand.IntN(2), "body": body, "exit_expression": "steps." + judge + ".ok"}
	step["loop"] = loop
	if w.one(2) {
		loop["conversation"] = true
	}
	if w.one(2) {
		loop["init"] = object{"text": "", "kept": []string{}}
		loop["state"] = object{"append": object{"kept": "{{ previous_step }}"}, "set": object{"text": "{{ loop.state.text }}{{ previous_step }}"}}
		loop["output_template"] = "{{ loop.state.text }} {{ loop.state.kept | length }}"
	}
}

func (w *workWriter) conditional(step object, depth int, known []string) {
	if len(known) == 0 {
		w.uses(step, "writer")
		return
	}
	step["kind"], step["condition_expression"] = "conditional", "steps."+known[len(known)-1]+".kind"
	step["branches"] = object{"a": w.pipeline(depth+1, known...), "b": w.pipeline(depth+1, known...)}
	step["default_branch"] = w.pipeline(depth+1, known...)
}

// machine returns a machine whose states end with a verdict, which decides what is next.
func (w *workWriter) machine() object {
	n := 2 + w.rand.IntN(2)
	states, rows := object{}, []object{}
	for i := range n {
		from, judge := fmt.Sprintf("s%d", i), w.name()
		states[from] = append(w.pipeline(1), w.uses(object{"name": judge, "updates_context": w.one(2)}, "judge"))
		to := func() string { return fmt.Sprintf("s%d", w.rand.IntN(n)) }
		rows = append(rows,
			object{"from": from, "on": "success", "to": to(), "when": "steps." + judge + ".kind == 'a'"},
			object{"from": from, "on": "success", "to": fmt.Sprintf("s%d", (i+1)%n), "when": "steps." + judge + ".ok"},
			object{"from": from, "on": "success", "to": "end"})
		if w.one(2) {
			rows = append(rows, object{"from": from, "on": "failure", "to": to()})
		}
	}

	return object{"kind": "StateMachine", "name": "machine", "start_state": "s0", "end_states": []string{"end"}, "states": states, "transitions": rows}
}
