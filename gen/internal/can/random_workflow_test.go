package can_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
)

// object is a mapping of a workflow's file, which is YAML as all JSON is.
type object = map[string]any

// workGenerator writes a random workflow: steps with agents that have tools, with judges and clerks, questions, branches, loops, groups,
// tools, imports and a machine, whose steps read what earlier ones have written.
type workGenerator struct {
	*generator
	// agents are those of the file, one for each step.
	agents object
	steps  int
	child  string
}

// randomWorkflow adds a random workflow to a project.
func randomWorkflow(t *testing.T, files fstest.MapFS, n int) {
	t.Helper()
	name := fmt.Sprintf("w%d", n)
	g := &workGenerator{
		generator: &generator{files, rand.New(rand.NewPCG(uint64(n), 5)), name + "-agent", 0}, agents: object{},
	}
	file := object{"version": "0.1", "name": name, "agents": g.agents}
	if n%3 == 2 {
		g.child = fmt.Sprintf("w%d", n-1)
		file["imports"] = object{"child": "./" + g.child + ".yaml"}
	}
	var initial []string
	if n%3 == 1 {
		initial = childFields
	}
	steps, known := g.pipeline(0, initial)
	if g.chance(50) {
		steps = append(steps, g.states(known))
	}
	if n%3 == 1 { // its output has a schema, so that it is known which members it has
		steps = append(steps, g.asks(object{"name": g.stepName(), "input": g.input(known)}, []object{verdict, report}[g.rand.IntN(2)]))
	}
	file["steps"] = steps
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: text}
}

// randomImport adds a workflow that imports another one: one agent of the two reads a page, and each may write a file. The text gets
// there only by what the import copies.
func randomImport(t *testing.T, files fstest.MapFS, n int) {
	t.Helper()
	name := fmt.Sprintf("i%d", n)
	all := &generator{files, rand.New(rand.NewPCG(uint64(n), 11)), name, 0}
	all.write(name+"-reader", "pattern: react\nmax_iter: 3\ncall: {uses: [browser]}\n", "Read, then call finish.")
	child := &workGenerator{generator: all, agents: object{}}
	parent := &workGenerator{generator: all, agents: object{}, child: name + "-child"}
	reads := all.chance(50)

	inner := []object{child.reading(reads)}
	inner = append(inner, child.writing(childFields), child.asks(object{"name": "end", "input": "Do your part."}, []object{verdict, report}[all.rand.IntN(2)]))
	outer := []object{parent.reading(!reads)}
	step := object{"name": parent.stepName(), "input": "{{ context.text0 }}"}
	known := parent.imports(step, []string{"context.text0", "context.text0"})
	outer = append(outer, step, parent.writing(append(known, known...)))

	for name, steps := range map[string]object{
		name:            {"version": "0.1", "name": name, "agents": parent.agents, "steps": outer, "imports": object{"child": "./" + parent.child + ".yaml"}},
		name + "-child": {"version": "0.1", "name": name + "-child", "agents": child.agents, "steps": inner},
	} {
		text, err := json.Marshal(steps)
		if err != nil {
			t.Fatal(err)
		}
		files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: text}
	}
}

// reading is a step that keeps a text, which may be that of a page.
func (g *workGenerator) reading(page bool) object {
	step := object{"name": g.stepName(), "input": "Do your part.", "sink_to": "text0"}
	if page {
		step["uses"] = "agent:" + g.name + "-reader"
	} else {
		g.asks(step, report)
	}

	return step
}

// writing is a step that writes one of some values to a file.
func (g *workGenerator) writing(known []string) object {
	return object{
		"name": g.stepName(), "agent": object{"id": "flujo.builtins.fs_write_file"},
		"input": object{"path": "note", "content": g.input(known)},
	}
}

// verdict has no text, report one of another's choice in each of two fields.
var (
	verdict = object{"type": "object", "required": []string{"kind", "ok"}, "properties": object{
		"kind": object{"type": "string", "enum": []string{"a", "b", "c"}}, "ok": object{"type": "boolean"}}}
	report = object{"type": "object", "required": []string{"text", "reason", "ok"}, "properties": object{
		"text": object{"type": "string"}, "reason": object{"type": "string"}, "ok": object{"type": "boolean"}}}
)

func (g *workGenerator) stepName() string {
	g.steps++

	return fmt.Sprintf("n%d", g.steps)
}

// asks makes a step one of an agent of the file.
func (g *workGenerator) asks(step object, output object) object {
	name := "agent_" + step["name"].(string)
	g.agents[name] = object{"model": "openai:gpt-4o-mini", "system_prompt": "Do your part.", "max_retries": 1, "output_schema": output}
	step["uses"] = "agents." + name

	return step
}

// pipeline returns steps, and the values that those behind them may read.
func (g *workGenerator) pipeline(depth int, known []string) (steps []object, readable []string) {
	known = slices.Clone(known)
	for range 2 + g.rand.IntN(2) {
		step := object{"name": g.stepName()}
		name := step["name"].(string)
		if len(steps) > 0 || depth > 0 {
			step["input"] = g.input(known)
		}
		kind := g.rand.IntN(16)
		if depth > 1 {
			kind %= 10
		}
		switch kind {
		case 0, 1, 2, 3:
			step["uses"] = "agent:" + g.generator.agent(0)
			if field := fmt.Sprintf("text%d", g.rand.IntN(3)); g.chance(50) {
				step["sink_to"] = field
				known = append(known, "context."+field)
			}
		case 4, 5:
			g.asks(step, verdict)
		case 6, 7:
			g.asks(step, report)
			known = append(known, "steps."+name+".text", "steps."+name+".reason")
		case 8:
			delete(step, "input")
			step["kind"], step["message"] = "hitl", "Go on with "+g.input(known)+"?"
		case 9:
			step["agent"] = object{"id": "flujo.builtins.fs_write_file"}
			step["input"] = object{"path": "note", "content": g.input(known)}
		case 10, 11:
			steps = append(steps, g.asks(object{"name": g.stepName(), "input": g.input(known)}, verdict))
			step["kind"], step["condition_expression"] = "conditional", fmt.Sprintf("steps.%s.kind", steps[len(steps)-1]["name"])
			step["branches"] = object{"a": g.inside(depth, known), "b": g.inside(depth, known)}
			step["default_branch"] = g.inside(depth, known)
		case 12:
			body := append(g.inside(depth, known), g.asks(object{"name": g.stepName()}, verdict))
			step["kind"] = "loop"
			step["loop"] = object{"max_loops": 2, "body": body, "exit_expression": fmt.Sprintf("steps.%s.ok", body[len(body)-1]["name"])}
		case 13:
			step["kind"], step["merge_strategy"], step["reduce"] = "parallel", "OVERWRITE", []string{"values", "first", "last"}[g.rand.IntN(3)]
			step["branches"] = object{"left": g.inside(depth, known), "right": g.inside(depth, known)}
		case 14:
			g.asks(step, report)
		default:
			if g.child == "" {
				g.asks(step, report)
				break
			}
			known = append(known, g.imports(step, known)...)
		}
		steps = append(steps, step)
	}

	return steps, known
}

// childFields are what an imported workflow reads that the one around it may give it.
var childFields = []string{"context.q", "context.initial_input", "context.text0"}

// imports makes a step one that runs the child, in any of the forms in which something is copied into its context and back. It returns
// what can be read behind it.
func (g *workGenerator) imports(step object, known []string) (readable []string) {
	config := object{}
	step["uses"], step["config"] = "imports.child", config
	switch g.rand.IntN(5) {
	case 0:
		delete(step, "input") // the output of the step before, which may be an object
	case 1:
		step["input"] = object{"q": g.input(known), "ok": true}
	case 2:
		step["input"] = object{"scratchpad": object{"q": g.input(known)}, "text0": []string{g.input(known)}}
	}
	if to := []string{"", "import_artifacts", "both"}[g.rand.IntN(3)]; to != "" {
		config["input_to"] = to
	}
	if g.chance(30) {
		config["input_scratchpad_key"] = "q"
	}
	if g.chance(40) {
		config["inherit_context"] = true
	}
	if g.chance(20) {
		config["on_failure"] = []string{"skip", "continue_with_default"}[g.rand.IntN(2)]
	}
	if g.chance(20) {
		return nil
	}
	step["updates_context"] = true
	from, to := fmt.Sprintf("text%d", g.rand.IntN(3)), "got_"+step["name"].(string)
	read := "context." + to
	switch g.rand.IntN(7) {
	case 0, 1: // the whole context
		return []string{"context." + from}
	case 2:
		config["outputs"] = object{from: to}
	case 3:
		config["outputs"] = []object{{"child": "scratchpad." + from, "parent": "context." + to}}
	case 4:
		config["outputs"] = []object{{"from": "context." + from, "to": "import_artifacts." + to + ".deep"}}
		read += ".deep"
	case 5:
		config["outputs"] = [][]string{{from, to + ".deep.er"}, {"q", to + ".q"}}
	default:
		config["outputs"] = object{"text": to} // which only the output of the child may have
	}

	return []string{read}
}

func (g *workGenerator) inside(depth int, known []string) []object {
	steps, _ := g.pipeline(depth+1, known)

	return steps
}

// input is a template over what is known.
func (g *workGenerator) input(known []string) string {
	texts := append([]string{"previous_step", "", ""}, known...)
	if read := texts[g.rand.IntN(len(texts))]; read != "" {
		return "{{ " + read + " }}"
	}

	return "Do your part."
}

// states returns a machine whose states end with a verdict, which decides what is next.
func (g *workGenerator) states(known []string) object {
	n := 2 + g.rand.IntN(2)
	states, rows := object{}, []object{}
	for i := range n {
		from := fmt.Sprintf("s%d", i)
		body := append(g.inside(1, known), g.asks(object{"name": g.stepName()}, verdict))
		states[from] = body
		judge := body[len(body)-1]["name"]
		to := func() string { return fmt.Sprintf("s%d", g.rand.IntN(n)) }
		rows = append(rows,
			object{"from": from, "on": "success", "to": to(), "when": fmt.Sprintf("steps.%s.kind == 'a'", judge)},
			object{"from": from, "on": "success", "to": fmt.Sprintf("s%d", (i+1)%n), "when": fmt.Sprintf("steps.%s.ok", judge)},
			object{"from": from, "on": "success", "to": "end"})
		if g.chance(30) {
			rows = append(rows, object{"from": from, "on": "failure", "to": to()})
		}
	}

	return object{
		"kind": "StateMachine", "name": "machine", "start_state": "s0", "end_states": []string{"end"}, "states": states, "transitions": rows,
	}
}
