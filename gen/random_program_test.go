package gen_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing/fstest"
)

// object is a mapping of a workflow's file, which is YAML as all JSON is.
type object = map[string]any

// randomProgram is a project with agents, machines over them, and workflows in which steps of all kinds are nested. The same seed gives the
// same project.
//
// A careless one does not care for whether its steps make sense: it reads what is not there, and its imports copy what nothing has
// written. A careful one reads what was written before it, and what it asks models and people for has few answers, so that all runs of a
// small one can be made. Both have machines without rows or ends, loops that nothing ends and guards that contradict each other.
type randomProgram struct {
	*rand.Rand
	careful bool
	// prefix begins the names of all agents, so that several programs are one project.
	prefix string
	files  fstest.MapFS
	// left is how many more steps the workflow has.
	left  int
	names int
	// leaves are agents that steps run, workflows those that steps import.
	leaves    []string
	workflows []*randomWorkflow
	*randomWorkflow
}

// randomWorkflow is a workflow that is written.
type randomWorkflow struct {
	name string
	// agents are those of the workflow.
	agents object
	// asked are the steps that ask them, and answered what each is asked for.
	asked    []string
	answered map[string][]string
	// declared are the fields of the context that it declares, nil if it declares none, and required those that each initial context has;
	// written are those that steps before have written.
	declared, required, written []string
	// inherited are the fields that decide whether imports take the context that they inherit.
	inherited []string
	// isDeclared is set if it declares a context, even one without fields.
	isDeclared bool
	// imports says that the workflow has an import.
	imports bool
	// ends are the keys with which the workflow may end; nil for done.
	ends []string
	// inLoop says that a machine is nested in another one, which bounds its size.
	machines int
	// inTurn says that the steps are in the body of a loop or a map.
	inTurn bool
}

// The fields of contexts and of answers, as JSON Schemas.
var randomFields = map[string]object{
	"kind": {"type": "string", "enum": []string{"a", "b"}},
	"ok":   {"type": "boolean"},
	"n":    {"type": "integer", "minimum": 0, "maximum": 3},
	"list": {"type": "array", "maxItems": 2, "items": object{"type": "string", "enum": []string{"a", "b"}}},
	"text": {"type": "string", "maxLength": 40},
}

// newRandomProgram makes the careful program of a seed, whose workflows have about so many steps.
func newRandomProgram(seed uint64, size int) *randomProgram {
	p := &randomProgram{
		Rand: rand.New(rand.NewPCG(seed, 17)), careful: true, prefix: fmt.Sprintf("p%d-", seed), files: fstest.MapFS{},
	}
	p.addSkills()
	for range 1 + p.IntN(3) {
		p.addLeaf()
	}
	p.addWorkflows(size)
	if p.chance(40) {
		p.addMachine()
	}

	return p
}

// newCarelessProgram makes the careless program of a seed.
func newCarelessProgram(seed uint64, size int) *randomProgram {
	project := newRandomProject(seed)
	p := &randomProgram{Rand: rand.New(rand.NewPCG(seed, 91)), files: project.files}
	for _, agent := range project.agents {
		p.leaves = append(p.leaves, agent.name)
	}
	p.addWorkflows(size)

	return p
}

func (p *randomProgram) addWorkflows(size int) {
	for range 1 + p.IntN(3) {
		p.left = 1 + p.IntN(max(1, size))
		p.addWorkflow()
	}
}

func (p *randomProgram) chance(percent int) bool { return p.IntN(100) < percent }

func anyOf[T any](p *randomProgram, list ...T) T { return list[p.IntN(len(list))] }

func (p *randomProgram) newName(kind string) string {
	p.names++

	return fmt.Sprint(kind, p.names)
}

// addAgent adds an agent of the project.
func (p *randomProgram) addAgent(name, fields, prompt string) {
	text := "---\nname: " + name + "\ndescription: Does its part.\nversion: \"1.0.0\"\n" + fields + "---\n\n" + prompt + "\n"
	p.files["agents/"+name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(text)}
}

// addStepFile adds the prompt of a step of a pattern.
func (p *randomProgram) addStepFile(agent, step string) {
	p.files["agents/"+agent+"/"+step+".md"] = &fstest.MapFile{Data: []byte("Do your part. What is good is DONE.\n")}
}

// addSkills adds the config and the skills of careful programs.
func (p *randomProgram) addSkills() {
	for name, text := range map[string]string{
		"agentc.yaml":             "files: {root: ./work}\nhttp: {allow: [example.org]}\nmodels: {default: \"openai:gpt-4o-mini\"}\n",
		"skills/browser/SKILL.md": "---\nname: browser\ndescription: Reads pages.\ntools: [http_get]\n---\n\nCall http_get.\n",
		"skills/desk/SKILL.md":    "---\nname: desk\ndescription: Writes files.\ntools: [files_write]\n---\n\nCall files_write.\n",
		"skills/mail/SKILL.md": "---\nname: mail\ndescription: Sends mail.\ntools:\n  - name: send_mail\n    description: Sends a mail.\n" +
			"    effect: external\n    input: {type: object, properties: {text: {type: string}}, required: [text]}\n---\n\nCall send_mail.\n",
	} {
		p.files[name] = &fstest.MapFile{Data: []byte(text)}
	}
}

// addLeaf adds an agent that runs no other one.
func (p *randomProgram) addLeaf() {
	name := p.newName(p.prefix + "leaf")
	const model = "call: {model: {max_tokens: 200}%s}\n"
	plain := fmt.Sprintf(model, "")
	switch p.IntN(6) {
	case 0:
		p.addAgent(name, "pattern: oneshot\n"+plain, "Do your part.")
	case 1:
		p.addAgent(name, "pattern: reflexion\nmax_iter: 2\n"+plain, "Do your part.")
		p.addStepFile(name, "act")
		p.addStepFile(name, "reflect")
	case 2:
		p.addAgent(name, "pattern: human\nmax_iter: 2\n"+plain, "Ask, then call finish.")
		p.addStepFile(name, "resume")
	default:
		skills := slices.DeleteFunc([]string{"browser", "mail", "desk"}, func(string) bool { return p.chance(60) })
		fields := fmt.Sprintf("pattern: react\nmax_iter: %d\n"+model, 2+p.IntN(2), ", uses: ["+strings.Join(skills, ", ")+"]")
		if p.chance(50) {
			fields += "keys: [" + strings.Join([]string{"yes", "no", "done"}[:1+p.IntN(3)], ", ") + "]\n"
		}
		if p.chance(15) {
			fields += fmt.Sprintf("budget: {calls: %d}\n", 1+p.IntN(3))
		}
		p.addAgent(name, fields, "Do your part, then call finish.")
	}
	p.leaves = append(p.leaves, name)
}

// addMachine adds a machine whose states run leaves and workflows.
func (p *randomProgram) addMachine() {
	states := slices.Clone(p.leaves)
	for _, w := range p.workflows {
		states = append(states, w.name)
	}
	p.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
	states = states[:1+p.IntN(min(3, len(states)))]
	targets := append(slices.Clone(states), "over", "over", "~")
	var table strings.Builder
	for i, state := range states {
		fmt.Fprintf(&table, "  %s:\n", state)
		keys := []string{"yes", "no", "done"}
		for _, w := range p.workflows {
			if w.name == state {
				keys = append([]string{"done"}, w.ends...)
			}
		}
		if i+1 < len(states) && p.chance(80) { // so that most states are reached
			fmt.Fprintf(&table, "    - %q: %s\n", keys[0], states[i+1])
			keys = keys[1:]
		}
		for _, key := range keys {
			if p.chance(60) {
				fmt.Fprintf(&table, "    - %q: %s\n", key, anyOf(p, targets...))
			}
		}
		fmt.Fprintf(&table, "    - \"*\": %s\n", anyOf(p, targets...))
	}
	fields := fmt.Sprintf("pattern: fsm\ninitial: %s\nmax_steps: %d\nstates:\n%s  over: ~\n", states[0], 2+p.IntN(4), &table)
	if p.chance(20) {
		fields += fmt.Sprintf("budget: {calls: %d}\n", 2+p.IntN(6))
	}
	p.addAgent(p.newName(p.prefix+"machine"), fields, "Do it.")
}

// maybeWithRule returns the schema of a field, which may combine the values that are written to it.
func (p *randomProgram) maybeWithRule(field string) object {
	schema := randomFields[field]
	if !p.chance(25) {
		return schema
	}
	rules := []string{"first", "last", "error"}
	switch field {
	case "n":
		rules = append(rules, "sum", "max", "sum")
	case "list":
		rules = append(rules, "append", "union", "append")
	}
	ruled := maps.Clone(schema)
	ruled["merge"] = anyOf(p, rules...)

	return ruled
}

func (p *randomProgram) addWorkflow() {
	p.randomWorkflow = &randomWorkflow{name: fmt.Sprint(p.prefix, "work", len(p.workflows)), agents: object{}, answered: map[string][]string{}}
	file := object{"version": "0.1", "name": p.name}
	if p.chance(60) {
		fields := object{}
		isRequired := p.careful && p.chance(50)
		for _, field := range []string{"kind", "ok", "n", "list", "text"} {
			if !p.careful || p.chance(50) {
				fields[field] = p.maybeWithRule(field)
				p.declared = append(p.declared, field)
			}
			if fields[field] != nil && isRequired && p.chance(60) {
				p.required = append(p.required, field)
			}
		}
		if !p.careful {
			fields["deep"] = object{"type": "object", "properties": object{"text": object{"type": "string"}}}
		}
		context := object{"type": "object", "properties": fields}
		if len(p.required) > 0 {
			context["required"] = p.required
		}
		file["context"], p.isDeclared = context, true
	}
	file["steps"] = p.steps(3)
	if p.chance(60) && p.careful {
		last := object{"name": p.newName("machine")}
		p.ends = p.addStates(last, 2)
		file["steps"] = append(file["steps"].([]object), last)
	}
	if p.chance(30) {
		file["output"] = anyOf[any](p, p.template(), object{"text": p.template(), "n": 3}, []string{p.template()})
	}
	if len(p.agents) > 0 {
		file["agents"] = p.agents
	}
	if p.imports {
		file["imports"] = object{"child": "./" + p.workflows[len(p.workflows)-1].name + ".yaml"}
	}
	text, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	p.files["workflows/"+p.name+".yaml"] = &fstest.MapFile{Data: text}
	p.workflows = append(p.workflows, p.randomWorkflow)
}

// steps returns some steps; depth is how deep others may be in them.
func (p *randomProgram) steps(depth int) []object {
	steps := []object{}
	for range p.IntN(4) {
		if p.left <= 0 {
			break
		}
		p.left--
		step := p.step(depth)
		steps = append(steps, step)
		if loop, isLoop := step["loop"].(object); isLoop && loop["repeat"] == nil && p.chance(40) {
			skipped := p.body(depth - 1)
			target := p.step(depth)
			loop["on_bound"] = object{"to": target["name"]}
			steps = append(append(steps, skipped...), target)
		}
	}

	return steps
}

// body returns steps inside of another one. What they give is not read behind it.
func (p *randomProgram) body(depth int) []object {
	before := len(p.asked)
	steps := p.steps(depth)
	if p.careful {
		p.asked = p.asked[:before]
	}

	return steps
}

// step returns a step of any kind, with any settings.
func (p *randomProgram) step(depth int) object {
	step := object{"name": p.newName("step")}
	input := p.input() // which does not read what the step gives
	p.work(step, depth)
	_, has := step["input"]
	if p.careful {
		has = has || step["agent"] != nil
	}
	if !has && p.chance(50) {
		step["input"] = input
	}
	if !p.careful && p.chance(15) {
		step["updates_context"] = true
	}
	if !p.careful && p.chance(15) {
		step["sink_to"] = anyOf(p, "text", "context.deep.text", "scratchpad.other", "next_state")
	}
	if kind, hasKind := step["kind"]; hasKind {
		if kind != "hitl" && depth > 0 && p.chance(10) {
			p.addFallback(step)
		}
		return step
	}
	if p.careful && p.chance(15) && step["config"] == nil && step["agent"] == nil {
		step["config"] = object{"max_retries": p.IntN(2)}
	}
	if p.careful && p.chance(8) && step["uses"] != nil {
		step["usage_limits"] = object{"total_tokens_limit": anyOf(p, 100, 1000, 100000)}
	}
	if depth > 0 && p.chance(10) {
		p.addFallback(step)
	}

	return step
}

// addFallback gives a step one that runs if it fails.
func (p *randomProgram) addFallback(step object) {
	before := len(p.asked)
	step["fallback"] = p.step(0)
	p.asked = p.asked[:before]
}

// work says what a step does.
func (p *randomProgram) work(step object, depth int) {
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
			p.sink(step, "text")
		}
	case 3, 4:
		p.set(step)
	case 5:
		p.question(step)
	case 6:
		p.builtin(step)
	case 7:
		step["input"] = anyOf[any](p, p.template(), object{"kind": "b", "n": 2}, object{"next_state": p.template()})
		if p.careful {
			step["input"] = anyOf[any](p, p.template(), object{"kind": "b", "n": 2})
		}
	case 8:
		p.importWork(step)
	case 9, 10:
		p.branch(step, depth)
	case 11:
		p.loop(step, depth)
	case 12, 13:
		p.group(step, depth)
	default:
		if p.careful && p.machines > 1 {
			p.ask(step)
			return
		}
		p.addStates(step, depth)
	}
}

// sink lets a careful program write a text into the context.
func (p *randomProgram) sink(step object, field string) {
	if p.careful && p.chance(50) && p.accepts(field) {
		step["sink_to"] = field
		p.note(field)
	}
}

// accepts reports whether the context has a field, or any field.
func (w *randomWorkflow) accepts(field string) bool {
	return w.declared == nil || slices.Contains(w.declared, field)
}

// note notes that a field was written.
func (w *randomWorkflow) note(fields ...string) { w.written = append(w.written, fields...) }

// readable returns the fields of the context that may be read.
func (w *randomWorkflow) readable() []string { return slices.Concat(w.required, w.written) }

// set makes a step one that writes a constant or a text.
func (p *randomProgram) set(step object) {
	params := object{
		"path":  anyOf(p, "kind", "n", "ok", "text", "next_state", "context.deep.text", "context.free"),
		"value": anyOf[any](p, "a", 3, true, "{{ previous_step }}", "{{ context.text }}", "state1"),
	}
	if p.careful {
		fields := slices.DeleteFunc([]string{"kind", "n", "ok", "text"}, func(field string) bool { return !p.accepts(field) })
		if len(fields) == 0 {
			step["input"] = "go"
			return
		}
		field := anyOf(p, fields...)
		params["path"] = field
		params["value"] = map[string]any{"kind": anyOf(p, "a", "b"), "n": p.IntN(4), "ok": p.chance(50), "text": p.template()}[field]
		p.note(field)
	}
	step["agent"] = object{"id": "context_set", "params": params}
}

// question makes a step one that asks a person.
func (p *randomProgram) question(step object) {
	step["kind"], step["message"] = "hitl", p.template()
	if !p.careful {
		return
	}
	if p.chance(50) {
		p.answers(step, "input_schema")
		return
	}
	p.sink(step, "text")
}

// builtin makes a step one of a builtin of the language.
func (p *randomProgram) builtin(step object) {
	if p.careful && p.chance(50) {
		step["agent"] = object{"id": "flujo.builtins.fs_write_file"}
		step["input"] = object{"path": "note", "content": p.template()}
		return
	}
	if p.careful {
		step["agent"] = object{"id": "flujo.builtins." + anyOf(p, "stringify", "passthrough", "check_user_confirmation")}
		step["input"] = p.template()
		return
	}
	step["agent"] = object{"id": "merge_objects"}
	step["input"] = []object{{"kind": "a"}, {"n": 1}}
}

// ask makes a step one of an agent of the workflow.
func (p *randomProgram) ask(step object) {
	name := p.newName("agent")
	agent := object{"model": "openai:gpt-4o-mini", "system_prompt": "Judge."}
	p.agents[name] = agent
	step["uses"] = "agents." + name
	if p.careful {
		agent["max_retries"], agent["model_settings"] = p.IntN(2), object{"max_tokens": 200}
		p.answers(step, "output_schema")
		agent["output_schema"] = step["output_schema"]
		delete(step, "output_schema")
		return
	}
	agent["output_schema"] = object{
		"type": "object", "required": []string{"kind", "ok"}, "properties": object{
			"kind": object{"type": "string", "enum": []string{"a", "b"}}, "ok": object{"type": "boolean"},
			"n": object{"type": "integer"}, "text": object{"type": "string"},
		},
	}
	p.asked = append(p.asked, step["name"].(string))
	p.answered[step["name"].(string)] = []string{"kind", "ok", "n", "text"}
}

// answers gives a step a schema with some fields, all of which an answer has, and may let it write them into the context.
func (p *randomProgram) answers(step object, schema string) {
	properties, fields, isAccepted := object{}, []string{}, true
	for _, field := range []string{"kind", "ok", "n", "text", "list"} {
		if p.chance(map[string]int{"kind": 60, "ok": 60}[field]) || p.chance(15) {
			properties[field], fields, isAccepted = randomFields[field], append(fields, field), isAccepted && p.accepts(field)
		}
	}
	if len(fields) == 0 {
		properties["ok"], fields, isAccepted = randomFields["ok"], []string{"ok"}, p.accepts("ok")
	}
	step[schema] = object{"type": "object", "required": fields, "properties": properties, "additionalProperties": false}
	if isAccepted && p.chance(60) {
		step["updates_context"] = true
		p.note(fields...)
	}
	name := step["name"].(string)
	p.asked = append(p.asked, name)
	p.answered[name] = fields
}

// branch makes a step a conditional one.
func (p *randomProgram) branch(step object, depth int) {
	step["kind"] = "conditional"
	of, first := anyOf(p, "context.kind", "context.ok", "'a'", p.guard()), anyOf(p, "a", "true")
	if p.careful {
		of, first = p.branchKey()
	}
	second := map[string]string{"a": "b", "true": "false"}[first]
	if !p.careful {
		second = "b"
	}
	step["condition_expression"] = of
	step["branches"] = object{first: p.body(depth - 1), second: p.body(depth - 1)}
	if p.careful && p.chance(20) {
		delete(step["branches"].(object), second)
	}
	if p.chance(40) || !p.careful && p.chance(40) {
		step["default_branch"] = p.body(depth - 1)
	}
}

// branchKey returns an expression for the key of a conditional, and one of its values.
func (p *randomProgram) branchKey() (expression, value string) {
	for range 4 {
		of, fields := p.source()
		for _, field := range []string{"kind", "ok"} {
			if slices.Contains(fields, field) && p.chance(60) {
				return of + "." + field, map[string]string{"kind": "a", "ok": "true"}[field]
			}
		}
	}

	return p.guard(), "true"
}

// loop makes a step one that repeats others.
func (p *randomProgram) loop(step object, depth int) {
	isMap := p.chance(25)
	if p.careful {
		isMap = p.chance(50) && slices.Contains(p.readable(), "list")
	}
	before := len(p.asked)
	if !isMap {
		loop := object{"body": p.turn(depth - 1)}
		p.endLoop(loop, before)
		if p.careful {
			p.asked = p.asked[:before]
		}
		step["kind"], step["loop"] = "loop", loop
		return
	}
	items := "list"
	if !p.careful {
		items = anyOf(p, "context.list", "list", "scratchpad.other")
	}
	each := object{"iterable_input": items, "body": p.turn(depth - 1)}
	if p.chance(40) {
		each["max_concurrency"] = 1 + p.IntN(3)
	}
	if p.chance(40) {
		each["on_item_failure"] = anyOf(p, "fail", "skip", "keep")
	}
	step["kind"], step["map"] = "map", each
	if p.careful {
		p.asked = p.asked[:before]
	}
}

// endLoop says when a loop ends. before is how many steps were asked before it.
func (p *randomProgram) endLoop(loop object, before int) {
	if p.chance(15) {
		loop["repeat"] = 1 + p.IntN(3)
		return
	}
	end := anyOf(p, "exit_expression", "until", "while")
	if p.careful && end == "while" {
		p.asked = p.asked[:before] // the body may not have run
	}
	outer := p.inTurn
	p.inTurn = false
	loop["max_loops"], loop[end] = 1+p.IntN(4), p.guard()
	p.inTurn = outer
	if p.chance(30) {
		loop["on_bound"] = "last"
	}
}

// turn returns the steps in the body of a loop or a map, which know the turn.
func (p *randomProgram) turn(depth int) []object {
	outer := p.inTurn
	defer func() { p.inTurn = outer }()
	p.inTurn = true

	return p.steps(depth)
}

// group makes a step one of branches that run side by side.
func (p *randomProgram) group(step object, depth int) {
	step["kind"] = "parallel"
	branches := object{}
	for range 1 + p.IntN(3) {
		branches[p.newName("arm")] = p.body(depth - 1)
	}
	step["branches"] = branches
	if p.careful || p.chance(60) {
		step["merge_strategy"] = anyOf(p, "OVERWRITE", "KEEP_FIRST", "NO_MERGE", "ERROR_ON_CONFLICT")
	}
	if p.chance(40) {
		step["reduce"] = anyOf(p, "values", "first", "last", "keys", "union", "concat", "majority_vote")
	}
	if p.careful && p.chance(20) {
		step["on_branch_failure"] = "IGNORE"
	}
}

// importWork makes a step run the workflow that was made before.
func (p *randomProgram) importWork(step object) {
	if len(p.workflows) == 0 {
		step["input"] = p.template()
		return
	}
	p.imports = true
	config := object{}
	step["uses"], step["config"] = "imports.child", config
	if p.chance(40) {
		config["inherit_context"] = true
		child := p.workflows[len(p.workflows)-1]
		p.inherited = slices.Concat(p.inherited, child.required, child.inherited, p.lackedBy(child))
	}
	if p.chance(50) {
		config["input_to"] = anyOf(p, "import_artifacts", "both", "initial_prompt")
	}
	if p.chance(30) {
		config["on_failure"] = anyOf(p, "skip", "continue_with_default", "abort")
	}
	if p.careful {
		p.importOutputs(step, config)
		return
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

// lackedBy returns a field that the context may have and that of an import does not, which therefore fails if it inherits it.
func (w *randomWorkflow) lackedBy(child *randomWorkflow) []string {
	for _, field := range []string{"kind", "ok", "n", "list", "text"} {
		mayHave := !w.isDeclared || slices.Contains(w.declared, field)
		if mayHave && child.isDeclared && !slices.Contains(child.declared, field) {
			return []string{field}
		}
	}

	return nil
}

// importOutputs lets a careful program take over some of what its import has written, under the same name or another one.
func (p *randomProgram) importOutputs(step, config object) {
	child := p.workflows[len(p.workflows)-1]
	outputs := object{}
	for _, field := range child.readable() {
		if p.accepts(field) && p.chance(60) {
			outputs[field] = field
			p.note(field)
		}
	}
	if len(outputs) > 0 {
		step["updates_context"] = true
		config["outputs"] = outputs
	}
}

// addStates makes a step a machine, and returns its end states.
func (p *randomProgram) addStates(step object, depth int) (ends []string) {
	p.machines++
	defer func() { p.machines-- }()
	var states, targets []string
	for range 1 + p.IntN(3) {
		states = append(states, p.newName("state"))
	}
	targets = append(targets, states...)
	step["kind"], step["start_state"] = "StateMachine", states[0]
	if p.chance(70) || p.careful && p.chance(70) {
		ends = append(ends, p.newName("end"))
		if p.chance(30) {
			ends = append(ends, p.newName("end"))
		}
		step["end_states"] = ends
		targets = append(targets, ends...)
		if p.careful {
			targets = append(targets, ends...)
		}
	}
	if p.chance(40) || p.careful && p.chance(80) {
		step["max_steps"] = 1 + p.IntN(6)
	}
	bodies, rows := object{}, []object{}
	for _, state := range states {
		before := len(p.asked)
		bodies[state] = p.steps(depth - 1)
		if p.careful {
			rows = append(rows, p.rowsFrom(state, targets)...)
			p.asked = p.asked[:before]
		}
	}
	step["states"] = bodies
	if !p.careful {
		rows = p.rows(states, targets)
	} else if p.chance(25) {
		rows = append(rows, object{"from": "*", "to": anyOf(p, targets...), "on": "failure"})
	}
	if len(rows) > 0 || !p.careful && p.chance(50) {
		step["transitions"] = rows
	}

	return ends
}

// rows returns the rows of a machine that does not care for them.
func (p *randomProgram) rows(states, targets []string) []object {
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

	return rows
}

// rowsFrom returns the rows of a state, of which the last one most often has no guard.
func (p *randomProgram) rowsFrom(state string, targets []string) (rows []object) {
	guards := map[string]bool{}
	add := func(on, when string) {
		if when != "" && guards[when] {
			return
		}
		guards[when] = true
		row := object{"from": state, "to": anyOf(p, targets...), "on": on}
		if when != "" {
			row["when"] = when
		}
		rows = append(rows, row)
	}
	for range p.IntN(3) {
		add("success", p.guard())
	}
	if p.chance(80) {
		add("success", "")
	}
	if p.chance(30) {
		add("failure", "")
	}
	if p.chance(10) {
		add("pause", "")
	}

	return rows
}

// source returns something that a guard may read, and its fields.
func (p *randomProgram) source() (of string, fields []string) {
	if fields = p.readable(); len(p.asked) > 0 && (len(fields) == 0 || p.chance(50)) {
		name := anyOf(p, p.asked...)
		return "steps." + name, p.answered[name]
	}

	return "context", fields
}

// guard returns a condition.
func (p *randomProgram) guard() string {
	if p.inTurn && p.chance(20) {
		return anyOf(p, "loop.first", "not loop.last", "loop.index > 0", "loop.index == 1", "loop.last or loop.index < 2")
	}
	if p.chance(30) {
		return fmt.Sprintf(anyOf(p, "%s and %s", "%s or %s", "(%s) and not (%s)"), p.guard(), p.guard())
	}
	of, fields := p.source()
	if !p.careful {
		if of != "context" {
			fields = nil
		}
		return fmt.Sprintf(anyOf(p,
			"%s.kind == 'a'", "%s.kind != 'b'", "%s.kind in ['a', 'b']", "%s.ok", "not %s.ok", "%s.n > 1", "%s.n <= 5", "%s.n == 3", "%s.n != None",
			"%s.text == None", "%s.text.startswith('x')", "'y' in %s.text", "%s.get('n', 2) > 1", "%s.kind == %[1]s.text", "%s.n < %[1]s.n",
		), of)
	}
	if len(fields) == 0 {
		return anyOf(p, "1 == 1", "'a' == 'b'")
	}
	guards := map[string][]string{
		"kind": {"%s.kind == 'a'", "%s.kind != 'b'", "%s.kind in ['a', 'b']", "%s.kind == 'b'", "%s.kind == None"},
		"ok":   {"%s.ok", "not %s.ok", "%s.ok == True", "%s.ok == None"},
		"n":    {"%s.n > 1", "%s.n <= 2", "%s.n == 3", "%s.n != None", "%s.get('n', 2) > 1"},
		"text": {"%s.text == None", "%s.text.startswith('f')"},
		"list": {"%s.list", "not %s.list"},
	}

	return fmt.Sprintf(anyOf(p, guards[anyOf(p, fields...)]...), of)
}

// template returns a text with a placeholder.
func (p *randomProgram) template() string {
	if p.inTurn && p.chance(15) {
		return anyOf(p, "turn {{ loop.index }}", "{{ loop.last }}", "{{ loop.first }} {{ previous_step }}")
	}
	if !p.careful {
		return anyOf(p, "go", "{{ previous_step }}", "{{ context.text }} and {{ context.n }}", "{{ context.deep.text | upper }}", "{{ context }}",
			"{{ input }}", "{{ current_state }}")
	}
	texts := []string{"go", "{{ previous_step }}"}
	if slices.Contains(p.readable(), "text") {
		texts = append(texts, "{{ context.text }}", "of {{ context.text }}")
	}
	for _, name := range p.asked {
		texts = append(texts, "{{ steps."+name+"."+anyOf(p, p.answered[name]...)+" }}")
	}

	return anyOf(p, texts...)
}

func (p *randomProgram) input() any {
	if p.careful {
		return p.template()
	}

	return anyOf[any](p, p.template(), p.template(), object{"text": p.template(), "n": 3}, []string{p.template()}, 7, nil)
}
