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
	steps, known := g.pipeline(0, nil)
	if g.chance(50) {
		steps = append(steps, g.states(known))
	}
	file["steps"] = steps
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: text}
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
		default:
			if g.asks(step, report); g.child != "" {
				step["uses"] = "imports.child"
			}
		}
		steps = append(steps, step)
	}

	return steps, known
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
