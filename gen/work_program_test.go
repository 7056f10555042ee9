package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// workProgram is a random workflow: a machine whose states ask agents, set fields of the context,
// loop, branch and run parallel groups, and whose rows have guards over enums and booleans. Its
// YAML is what the compiler reads; its steps are what workRun interprets.
type workProgram struct {
	*rand.Rand
	seed uint64
	// typed says that the context is declared.
	typed   bool
	agents  []workAgent
	steps   []*workStep
	names   int
	states  map[string]bool
	machine *workMachine
}

// workAgent answers with some of the fields.
type workAgent struct {
	name   string
	fields []workField
}

// workField is a field of the context and of what agents answer with.
type workField struct {
	name   string
	values []any
}

var workFields = []workField{{"kind", []any{"a", "b"}}, {"level", []any{"low", "mid", "high"}}, {"ok", []any{true, false}}}

func (f workField) schema() string {
	if f.name == "ok" {
		return f.name + ": {type: boolean}"
	}

	return fmt.Sprintf("%s: {enum: [%s]}", f.name, strings.Trim(strings.ReplaceAll(fmt.Sprint(f.values), " ", ", "), "[]"))
}

// workStep is a step of one kind: ask, set, pass, loop, branch, fork or machine.
type workStep struct {
	kind, name string
	// agent is asked, and its answer merged into the context or left alone.
	agent  workAgent
	merges bool
	// field is set to value, or is the key of a branch.
	field workField
	value any
	// body is that of a loop, which ends when exit holds and fails after most turns.
	body []*workStep
	exit workGuard
	most int
	// arms are the branches by name; those of a fork are merged, the first or the last one first.
	arms    []workArm
	other   *workArm
	first   bool
	machine *workMachine
}

type workArm struct {
	name  string
	steps []*workStep
}

type workMachine struct {
	name   string
	start  string
	ends   []string
	states []*workState
	rows   []workRow
	most   int
}

type workState struct {
	name  string
	steps []*workStep
}

type workRow struct {
	from, on, to string
	when         workGuard
}

// workGuard is a condition, as it is written and as it is meant; the zero workGuard is none.
type workGuard struct {
	text  string
	holds func(*workRun) workflow.Truth
}

func newWorkProgram(seed uint64) *workProgram {
	p := &workProgram{seed: seed, Rand: rand.New(rand.NewPCG(seed, 77)), states: map[string]bool{}}
	p.typed = p.IntN(3) > 0
	for i := range 1 + p.IntN(2) {
		fields := []workField{workFields[p.IntN(3)]}
		if p.IntN(3) == 0 {
			fields = append(fields, workFields[(p.IntN(2)+1+indexOfField(fields[0]))%3])
		}
		p.agents = append(p.agents, workAgent{fmt.Sprint("agent", i), fields})
	}
	if p.IntN(4) == 0 {
		p.steps = p.pipeline(1, nil)
	}
	p.machine = p.newMachine(2+p.IntN(3), p.IntN(6) == 0)
	p.steps = append(p.steps, &workStep{kind: "machine", name: p.machine.name, machine: p.machine})

	return p
}

func indexOfField(f workField) int {
	for i := range workFields {
		if workFields[i].name == f.name {
			return i
		}
	}

	return -1
}

func (p *workProgram) name(kind string) string {
	p.names++

	return fmt.Sprint(kind, p.names)
}

// newMachine makes a machine; with nests, one of its states has a machine inside.
func (p *workProgram) newMachine(states int, nests bool) *workMachine {
	m := &workMachine{name: p.name("machine"), ends: []string{p.name("end")}, most: 2 + p.IntN(4)}
	if p.IntN(3) == 0 {
		m.ends = append(m.ends, p.name("end"))
	}
	for range states {
		s := &workState{name: p.name("state")}
		m.states = append(m.states, s)
		p.states[s.name] = true
	}
	m.start = m.states[0].name
	for i, s := range m.states {
		var asked []*workStep
		s.steps = p.pipeline(p.IntN(3), &asked)
		if nests && i == 0 {
			inner := p.newMachine(1+p.IntN(2), false)
			for _, s := range inner.states { // else it gives what it was given, in which anything may be
				s.steps = append(s.steps, &workStep{kind: "pass", name: p.name("pass")})
			}
			s.steps = append(s.steps, &workStep{kind: "machine", name: inner.name, machine: inner})
		}
		p.addRows(m, i, asked)
	}
	if p.IntN(4) == 0 {
		m.rows = append(m.rows, workRow{from: "*", on: "failure", to: p.target(m, 0)})
	}

	return m
}

// unbound lets the machine run more steps.
func (p *workProgram) unbound() *workProgram {
	p.machine.most += 3

	return p
}

// target is a state or an end, the next one more often than others.
func (p *workProgram) target(m *workMachine, after int) string {
	if after < len(m.states) && p.IntN(3) == 0 {
		return m.states[after].name
	}
	at := p.IntN(len(m.states) + len(m.ends))
	if at < len(m.states) {
		return m.states[at].name
	}

	return m.ends[at-len(m.states)]
}

func (p *workProgram) addRows(m *workMachine, at int, asked []*workStep) {
	s := m.states[at]
	switch {
	case p.IntN(12) == 0:
		return // nothing leads on
	case p.IntN(4) == 0:
		m.rows = append(m.rows, workRow{from: s.name, on: "failure", to: p.target(m, at+1)})
	}
	for range p.IntN(3) {
		m.rows = append(m.rows, workRow{s.name, "success", p.target(m, at+1), p.guard(asked, 1)})
	}
	switch p.IntN(5) {
	case 0:
		f := workFields[p.IntN(3)]
		for _, value := range f.values {
			m.rows = append(m.rows, workRow{s.name, "success", p.target(m, at+1), equals("context", f, value)})
		}
		if p.IntN(2) == 0 {
			m.rows = append(m.rows, workRow{s.name, "success", p.target(m, at+1), equals("context", f, nil)})
		}
	case 1:
	default:
		m.rows = append(m.rows, workRow{from: s.name, on: "success", to: p.target(m, at+1)})
	}
}

// pipeline makes some steps; what they ask agents for is added to asked.
func (p *workProgram) pipeline(n int, asked *[]*workStep) []*workStep {
	var steps []*workStep
	for range n {
		s := p.step(2)
		steps = append(steps, s)
		if s.kind == "ask" && asked != nil {
			*asked = append(*asked, s)
		}
	}

	return steps
}

func (p *workProgram) step(depth int) *workStep {
	kind := p.IntN(10)
	switch {
	case kind == 7 && depth > 0:
		s := &workStep{kind: "loop", name: p.name("loop"), most: 1 + p.IntN(3)}
		inner := p.step(depth - 1)
		s.body = []*workStep{inner}
		var asked []*workStep
		if inner.kind == "ask" {
			asked = s.body
		}
		s.exit = p.guard(asked, 1)
		return s
	case kind == 8 && depth > 0:
		s := &workStep{kind: "branch", name: p.name("branch"), field: workFields[p.IntN(3)]}
		for _, value := range s.field.values {
			if p.IntN(6) > 0 {
				s.arms = append(s.arms, workArm{fmt.Sprint(value), p.inside(depth)})
			}
		}
		if p.IntN(3) > 0 || len(s.arms) == 0 {
			s.other = &workArm{"other", p.inside(depth)}
		}
		if len(s.arms) == 0 {
			s.arms = []workArm{{fmt.Sprint(s.field.values[0]), nil}}
		}
		return s
	case kind == 9 && depth > 0:
		s := &workStep{kind: "fork", name: p.name("fork"), first: p.IntN(2) == 0}
		for range 2 {
			s.arms = append(s.arms, workArm{p.name("arm"), p.inside(depth)})
		}
		return s
	case kind < 2:
		s := &workStep{kind: "set", name: p.name("set"), field: workFields[p.IntN(3)]}
		s.value = s.field.values[p.IntN(len(s.field.values))]
		return s
	case kind == 2:
		return &workStep{kind: "pass", name: p.name("pass")}
	}
	s := &workStep{kind: "ask", name: p.name("ask"), agent: p.agents[p.IntN(len(p.agents))]}
	s.merges = p.IntN(3) > 0

	return s
}

func (p *workProgram) inside(depth int) []*workStep {
	if p.IntN(3) == 0 {
		return nil
	}

	return []*workStep{p.step(depth - 1)}
}

// guard makes a condition over the context, and over what some steps have answered.
func (p *workProgram) guard(asked []*workStep, depth int) workGuard {
	if depth > 0 && p.IntN(3) == 0 {
		x, y := p.guard(asked, depth-1), p.guard(asked, depth-1)
		switch p.IntN(3) {
		case 0:
			return workGuard{x.text + " and " + y.text, func(r *workRun) workflow.Truth { return x.decides(r, y, false) }}
		case 1:
			return workGuard{x.text + " or " + y.text, func(r *workRun) workflow.Truth { return x.decides(r, y, true) }}
		default:
			return workGuard{"not (" + x.text + ")", func(r *workRun) workflow.Truth { return x.holds(r).Not() }}
		}
	}
	of, fields := "context", workFields
	if len(asked) > 0 && p.IntN(2) == 0 {
		s := asked[p.IntN(len(asked))]
		of, fields = "steps."+s.name, s.agent.fields
	}
	f := fields[p.IntN(len(fields))]
	value := f.values[p.IntN(len(f.values))]
	read := func(r *workRun) any { return r.read(of, f.name) }
	if f.name == "ok" {
		name := of + ".ok"
		switch p.IntN(3) {
		case 0:
			return workGuard{name, func(r *workRun) workflow.Truth { return workflow.Known(isTrue(read(r))) }}
		case 1:
			return workGuard{"not " + name, func(r *workRun) workflow.Truth { return workflow.Known(!isTrue(read(r))) }}
		}
	}
	switch p.IntN(4) {
	case 0:
		return workGuard{fmt.Sprintf("%s.%s != %s", of, f.name, literal(value)), func(r *workRun) workflow.Truth { return isEqual(read(r), value).Not() }}
	case 1:
		other := f.values[p.IntN(len(f.values))]
		return workGuard{fmt.Sprintf("%s.%s in [%s, %s]", of, f.name, literal(value), literal(other)),
			func(r *workRun) workflow.Truth { return isEqual(read(r), value).Or(isEqual(read(r), other)) }}
	}

	return equals(of, f, value)
}

// isTrue reports whether a value holds: none and false do not.
func isTrue(value any) bool { return value != nil && value != false }

// decides joins two conditions. The second one is not asked where the first one decides, so that it reads nothing.
func (g workGuard) decides(r *workRun, other workGuard, or bool) workflow.Truth {
	t := g.holds(r)
	switch {
	case t == workflow.Known(or):
		return t
	case or:
		return t.Or(other.holds(r))
	}

	return t.And(other.holds(r))
}

// isEqual compares a value with a constant: what is missing is equal to None alone, and unknown beside any other one.
func isEqual(value, constant any) workflow.Truth {
	if value == nil && constant != nil {
		return workflow.Unknown
	}

	return workflow.Known(value == constant)
}

func equals(of string, f workField, value any) workGuard {
	return workGuard{fmt.Sprintf("%s.%s == %s", of, f.name, literal(value)), func(r *workRun) workflow.Truth { return isEqual(r.read(of, f.name), value) }}
}

func literal(value any) string {
	switch value {
	case nil:
		return "None"
	case true:
		return "True"
	case false:
		return "False"
	}

	return fmt.Sprintf("'%s'", value)
}

// addTo adds the workflow to a project.
func (p *workProgram) addTo(files fstest.MapFS, name string) {
	var b strings.Builder
	b.WriteString("version: \"0.1\"\n")
	if p.typed {
		var schemas []string
		for _, f := range workFields {
			schemas = append(schemas, f.schema())
		}
		fmt.Fprintf(&b, "context: {type: object, properties: {%s}}\n", strings.Join(schemas, ", "))
	}
	b.WriteString("agents:\n")
	for _, a := range p.agents {
		var schemas, required []string
		for _, f := range a.fields {
			schemas, required = append(schemas, f.schema()), append(required, f.name)
		}
		fmt.Fprintf(&b, "  %s:\n    model: \"openai:m\"\n    system_prompt: Judge.\n", a.name)
		fmt.Fprintf(&b, "    output_schema: {type: object, properties: {%s}, required: [%s], additionalProperties: false}\n",
			strings.Join(schemas, ", "), strings.Join(required, ", "))
	}
	b.WriteString("steps:\n")
	writeSteps(&b, "  ", p.steps)
	files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: []byte(b.String())}
}

// writeSteps writes steps as the items of a list.
func writeSteps(b *strings.Builder, in string, steps []*workStep) {
	for _, s := range steps {
		fmt.Fprintf(b, "%s- name: %s\n", in, s.name)
		s.write(b, in+"  ")
	}
}

// writeList writes steps below a name.
func writeList(b *strings.Builder, in, name string, steps []*workStep) {
	if len(steps) == 0 {
		fmt.Fprintf(b, "%s%s: []\n", in, name)
		return
	}
	fmt.Fprintf(b, "%s%s:\n", in, name)
	writeSteps(b, in+"  ", steps)
}

func (s *workStep) write(b *strings.Builder, in string) {
	line := func(format string, args ...any) { fmt.Fprintf(b, in+format+"\n", args...) }
	switch s.kind {
	case "ask":
		line("uses: agents.%s", s.agent.name)
		if s.merges {
			line("updates_context: true")
		}
	case "pass":
		line("input: nothing")
	case "set":
		line("agent: {id: context_set, params: {path: %s, value: %v}}", s.field.name, s.value)
	case "loop":
		line("kind: loop")
		line("loop:")
		line("  max_loops: %d", s.most)
		line("  exit_expression: %q", s.exit.text)
		writeList(b, in+"  ", "body", s.body)
	case "branch":
		line("kind: conditional")
		line("condition_expression: context.%s", s.field.name)
		line("branches:")
		for _, arm := range s.arms {
			writeList(b, in+"  ", arm.name, arm.steps)
		}
		if s.other != nil {
			writeList(b, in, "default_branch", s.other.steps)
		}
	case "fork":
		line("kind: parallel")
		line("merge_strategy: %s", map[bool]string{true: "KEEP_FIRST", false: "OVERWRITE"}[s.first])
		line("branches:")
		for _, arm := range s.arms {
			writeList(b, in+"  ", arm.name, arm.steps)
		}
	case "machine":
		s.machine.write(b, in)
	}
}

func (m *workMachine) write(b *strings.Builder, in string) {
	line := func(format string, args ...any) { fmt.Fprintf(b, in+format+"\n", args...) }
	line("kind: StateMachine")
	line("start_state: %s", m.start)
	line("end_states: [%s]", strings.Join(m.ends, ", "))
	line("max_steps: %d", m.most)
	line("states:")
	for _, s := range m.states {
		writeList(b, in+"  ", s.name, s.steps)
	}
	line("transitions:")
	for _, row := range m.rows {
		when := ""
		if row.when.text != "" {
			when = fmt.Sprintf(", when: %q", row.when.text)
		}
		line("  - {from: %q, on: %s, to: %s%s}", row.from, row.on, row.to, when)
	}
}
