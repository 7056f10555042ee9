package gen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing/fstest"
)

// object is a mapping of a workflow's file, which is YAML as all JSON is.
type object = map[string]any

// anyProgram makes a project with workflows in which steps of all kinds are nested, without care for whether they make sense: machines
// without rows or ends, loops that nothing ends, guards that contradict each other, imports that copy what is not there.
type anyProgram struct {
	*rand.Rand
	files fstest.MapFS
	// left is how many more steps there are.
	left  int
	names int
	// leaves are agents that steps run, workflows those that steps import.
	leaves    []string
	workflows []string
	// agents are those of the workflow that is written, asked the steps that ask them.
	agents object
	asked  []string
	// imports says that the workflow has an import.
	imports bool
}

// newAnyProgram makes the project of a seed, whose workflows have about so many steps.
func newAnyProgram(seed uint64, size int) fstest.MapFS {
	project := newRandomProject(seed)
	p := &anyProgram{Rand: rand.New(rand.NewPCG(seed, 91)), files: project.files}
	for _, agent := range project.agents {
		p.leaves = append(p.leaves, agent.name)
	}
	for i := range 1 + p.IntN(3) {
		p.left = 1 + p.IntN(max(1, size))
		p.addWorkflow(fmt.Sprint("work", i))
	}

	return p.files
}

func (p *anyProgram) chance(percent int) bool { return p.IntN(100) < percent }

func anyOf[T any](p *anyProgram, list ...T) T { return list[p.IntN(len(list))] }

func (p *anyProgram) name(kind string) string {
	p.names++

	return fmt.Sprint(kind, p.names)
}

func (p *anyProgram) addWorkflow(name string) {
	p.agents, p.asked, p.imports = object{}, nil, false
	file := object{"version": "0.1", "name": name, "steps": p.steps(3)}
	if len(p.agents) > 0 {
		file["agents"] = p.agents
	}
	if p.imports {
		file["imports"] = object{"child": "./" + p.workflows[len(p.workflows)-1] + ".yaml"}
	}
	if p.chance(60) {
		file["context"] = object{"type": "object", "properties": object{
			"kind": object{"type": "string", "enum": []string{"a", "b"}}, "n": object{"type": "integer"}, "ok": object{"type": "boolean"},
			"text": object{"type": "string"}, "list": object{"type": "array", "items": object{"type": "string"}},
			"deep": object{"type": "object", "properties": object{"text": object{"type": "string"}}},
		}}
	}
	text, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	p.workflows = append(p.workflows, name)
	p.files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: text}
}

// steps returns some steps; depth is how deep others may be in them.
func (p *anyProgram) steps(depth int) []object {
	steps := []object{}
	for range p.IntN(4) {
		if p.left <= 0 {
			break
		}
		p.left--
		steps = append(steps, p.step(depth))
	}

	return steps
}

// step returns a step of any kind, with any settings.
func (p *anyProgram) step(depth int) object {
	step := object{"name": p.name("step")}
	p.work(step, depth)
	if _, has := step["input"]; !has && p.chance(50) {
		step["input"] = p.input()
	}
	if p.chance(15) {
		step["updates_context"] = true
	}
	if p.chance(15) {
		step["sink_to"] = anyOf(p, "text", "context.deep.text", "scratchpad.other", "next_state")
	}
	if _, isPlain := step["kind"]; !isPlain && depth > 0 && p.chance(10) {
		step["fallback"] = p.step(0)
	}

	return step
}

// work says what a step does.
func (p *anyProgram) work(step object, depth int) {
	kind := p.IntN(16)
	if depth == 0 {
		kind %= 9
	}
	switch kind {
	case 0, 1:
		p.ask(step)
	case 2:
		if len(p.leaves) > 0 {
			step["uses"] = "agent:" + anyOf(p, p.leaves...)
		}
	case 3, 4:
		step["agent"] = object{"id": "context_set", "params": object{
			"path":  anyOf(p, "kind", "n", "ok", "text", "next_state", "context.deep.text", "context.free"),
			"value": anyOf[any](p, "a", 3, true, "{{ previous_step }}", "{{ context.text }}", "state1"),
		}}
	case 5:
		step["kind"], step["message"] = "hitl", p.template()
	case 6:
		step["agent"] = object{"id": "merge_objects"}
		step["input"] = []object{{"kind": "a"}, {"n": 1}}
	case 7:
		step["input"] = anyOf[any](p, p.template(), object{"kind": "b", "n": 2}, object{"next_state": p.template()})
	case 8:
		p.importWork(step)
	case 9, 10:
		step["kind"] = "conditional"
		step["condition_expression"] = anyOf(p, "context.kind", "context.ok", "'a'", p.guard())
		step["branches"] = object{anyOf(p, "a", "true"): p.steps(depth - 1), "b": p.steps(depth - 1)}
		if p.chance(60) {
			step["default_branch"] = p.steps(depth - 1)
		}
	case 11:
		step["kind"] = "loop"
		loop := object{"body": p.steps(depth - 1)}
		if p.chance(25) {
			loop["iterable_input"] = anyOf(p, "context.list", "list", "scratchpad.other")
		} else {
			loop["max_loops"], loop["exit_expression"] = 1+p.IntN(4), p.guard()
		}
		step["loop"] = loop
	case 12, 13:
		step["kind"] = "parallel"
		branches := object{}
		for range 1 + p.IntN(3) {
			branches[p.name("arm")] = p.steps(depth - 1)
		}
		step["branches"] = branches
		if p.chance(60) {
			step["merge_strategy"] = anyOf(p, "OVERWRITE", "KEEP_FIRST", "NO_MERGE", "ERROR_ON_CONFLICT")
		}
		if p.chance(40) {
			step["reduce"] = anyOf(p, "values", "first", "last", "keys", "union", "concat", "majority")
		}
	default:
		p.machine(step, depth)
	}
}

// ask makes a step one of an agent of the workflow.
func (p *anyProgram) ask(step object) {
	name := p.name("agent")
	p.agents[name] = object{"model": "openai:gpt-4o-mini", "system_prompt": "Judge.", "output_schema": object{
		"type": "object", "required": []string{"kind", "ok"}, "properties": object{
			"kind": object{"type": "string", "enum": []string{"a", "b"}}, "ok": object{"type": "boolean"},
			"n": object{"type": "integer"}, "text": object{"type": "string"},
		},
	}}
	step["uses"] = "agents." + name
	p.asked = append(p.asked, step["name"].(string))
}

// importWork makes a step run the workflow that was made before.
func (p *anyProgram) importWork(step object) {
	if len(p.workflows) == 0 {
		step["input"] = p.template()
		return
	}
	p.imports = true
	config := object{}
	step["uses"], step["config"] = "imports.child", config
	if p.chance(40) {
		config["inherit_context"] = true
	}
	if p.chance(50) {
		config["input_to"] = anyOf(p, "import_artifacts", "both", "initial_prompt")
	}
	if p.chance(30) {
		config["on_failure"] = anyOf(p, "skip", "continue_with_default", "abort")
	}
	if p.chance(50) {
		step["updates_context"] = true
	}
	if p.chance(40) {
		step["updates_context"] = true
		config["outputs"] = anyOf[any](p, object{"text": "text"}, []object{{"child": "scratchpad.deep.text", "parent": "context.free.a"}},
			[][]string{{"kind", "kind"}, {"n", "deep.n"}})
	}
}

// machine makes a step a machine.
func (p *anyProgram) machine(step object, depth int) {
	var states, targets []string
	for range 1 + p.IntN(3) {
		states = append(states, p.name("state"))
	}
	targets = append(targets, states...)
	step["kind"], step["start_state"] = "StateMachine", states[0]
	if p.chance(70) {
		ends := []string{p.name("end")}
		if p.chance(30) {
			ends = append(ends, p.name("end"))
		}
		step["end_states"] = ends
		targets = append(targets, ends...)
	}
	if p.chance(40) {
		step["max_steps"] = 1 + p.IntN(6)
	}
	bodies := object{}
	for _, state := range states {
		bodies[state] = p.steps(depth - 1)
	}
	step["states"] = bodies
	rows := []object{}
	for range p.IntN(2 * len(states)) {
		row := object{
			"from": anyOf(p, append([]string{"*"}, states...)...), "to": anyOf(p, targets...),
			"on": anyOf(p, "success", "success", "failure", "pause"),
		}
		if p.chance(40) {
			row["when"] = p.guard()
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 || p.chance(50) {
		step["transitions"] = rows
	}
}

// guard returns a condition.
func (p *anyProgram) guard() string {
	if p.chance(35) {
		return fmt.Sprintf(anyOf(p, "%s and %s", "%s or %s", "(%s) and not (%s)"), p.guard(), p.guard())
	}
	of := "context"
	if len(p.asked) > 0 && p.chance(50) {
		of = "steps." + anyOf(p, p.asked...)
	}

	return fmt.Sprintf(anyOf(p,
		"%s.kind == 'a'", "%s.kind != 'b'", "%s.kind in ['a', 'b']", "%s.ok", "not %s.ok", "%s.n > 1", "%s.n <= 5", "%s.n == 3", "%s.n != None",
		"%s.text == None", "%s.text.startswith('x')", "'y' in %s.text", "%s.get('n', 2) > 1", "%s.kind == %[1]s.text", "%s.n < %[1]s.n",
	), of)
}

// template returns a text with a placeholder.
func (p *anyProgram) template() string {
	return anyOf(p, "go", "{{ previous_step }}", "{{ context.text }} and {{ context.n }}", "{{ context.deep.text | upper }}", "{{ context }}",
		"{{ input }}", "{{ current_state }}")
}

func (p *anyProgram) input() any {
	return anyOf[any](p, p.template(), p.template(), object{"text": p.template(), "n": 3}, []string{p.template()}, 7, nil)
}
