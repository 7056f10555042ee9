package emit_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workflowOptions say what a random workflow looks like.
type workflowOptions struct {
	// Name is the workflow's name; "work" if empty.
	Name string
	// Size is about how many steps stand in a pipeline; 3 if zero.
	Size int
	// Agents are those that it may run, Imports the workflows.
	Agents, Imports []*ir.Agent
}

// randomWorkflow adds a random workflow to p, and the functions that it calls: steps of every kind,
// nested, with expressions over whatever can be named where they stand, as the front end promises.
// The same seed gives the same workflow. Agents and functions are not sorted: see
// [emittest.SortAgents].
func randomWorkflow(p *ir.Program, seed uint64, o workflowOptions) *ir.Agent {
	if o.Name == "" {
		o.Name = "work"
	}
	if o.Size == 0 {
		o.Size = 3
	}
	b := &workBuilder{p: p, o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), work: &ir.Flow{Kind: ir.Workflow}}
	if b.one(2) {
		b.work.Context = plainLine
	}
	b.agents()
	b.work.Body = b.pipeline(&workScope{}, "the top")
	a := &ir.Agent{Name: textLiteral(o.Name), File: emittest.AgentFile(o.Name), Description: textLiteral("A random workflow."), Node: b.work}
	p.Agents = append(p.Agents, a)

	return a
}

type workBuilder struct {
	p    *ir.Program
	o    workflowOptions
	rand *rand.Rand
	work *ir.Flow
	// steps counts the names that were given.
	steps int
}

// one is true in one of n cases.
func (b *workBuilder) one(n int) bool { return b.rand.IntN(n) == 0 }

// workScope is where a step or an expression stands.
type workScope struct {
	// name is that of the pipeline.
	name  []string
	depth int
	// before is the output of the step before; nil in the first.
	before *ir.Output
	// input says that there is a pipeline with an input, this that there is an item, event that
	// there is a state that has run.
	input, this, event bool
	// item is the schema of the item, or nil.
	item *ir.Schema
	// each says that the item is that of a block of a template.
	each bool
}

// agents makes the conversations of the workflow.
func (b *workBuilder) agents() {
	for i := range 2 + b.rand.IntN(2) {
		n := &ir.Oneshot{Repair: i}
		if i != 1 {
			n.Output = record
		}
		s := &ir.Step{
			Name: textLiteral(fmt.Sprintf("agent-%d", i)), Prompt: textLiteral("Do your part."), Node: n,
			Call: ir.Call{Name: textLiteral("openai:gpt-4o-mini")}, Timeout: time.Duration(i) * 1500 * time.Millisecond,
		}
		b.work.Conversations = append(b.work.Conversations, s)
	}
}

// prompts gives some agents a prompt with placeholders, once there are steps to name.
func (b *workBuilder) prompt(s *workScope, agent *ir.Step) {
	if agent.Template == nil && b.one(4) {
		agent.Template = b.template(&workScope{input: true, depth: s.depth}, 2)
	}
}

// pipeline returns steps that stand at a place.
func (b *workBuilder) pipeline(s *workScope, what string) *ir.Pipeline {
	p := &ir.Pipeline{Name: s.name, Description: what}
	inner := *s
	inner.before, inner.input, inner.event = nil, true, false
	size := b.rand.IntN(b.o.Size + 1)
	if s.depth == 0 {
		size += b.o.Size
	}
	for range size {
		t := b.task(&inner)
		p.Tasks = append(p.Tasks, t)
		inner.before = t.Output
	}

	return p
}

// inside returns the place of a pipeline inside of a step.
func (b *workBuilder) inside(s *workScope, step string, branch ...string) *workScope {
	inner := *s
	inner.name = append(append(s.name[:len(s.name):len(s.name)], step), branch...)
	inner.depth++

	return &inner
}

// task returns a step of any kind.
func (b *workBuilder) task(s *workScope) *ir.Task {
	b.steps++
	t := &ir.Task{Name: textLiteral(fmt.Sprintf("step-%d", b.steps))}
	if b.one(3) {
		t.Input = b.datum(s, 2)
	}
	t.Do = b.do(s, t)
	t.Output = &ir.Output{Name: t.Name, Type: t.Type}
	b.work.Outputs = append(b.work.Outputs, t.Output)
	t.UpdatesContext = b.one(6)
	if b.one(6) {
		t.SinkTo = path("place", "inside")
	}
	if b.one(4) {
		t.Retries, t.Tokens = 1+b.rand.IntN(2), b.rand.IntN(2)*500
		t.Timeout = time.Duration(b.rand.IntN(3)) * 30 * time.Second
	}
	if s.depth < 3 && b.one(8) {
		other := *s
		other.depth = 3 // no steps inside
		t.Fallback = b.task(&other)
	}

	return t
}

// do returns what a step does.
func (b *workBuilder) do(s *workScope, t *ir.Task) ir.Op {
	kind := b.rand.IntN(12)
	if s.depth >= 2 && kind >= 7 {
		kind -= 5
	}
	switch kind {
	case 0:
		return &ir.PassOn{}
	case 1, 2:
		agent := b.work.Conversations[b.rand.IntN(len(b.work.Conversations))]
		b.prompt(s, agent)
		if output := agent.Output(); output != nil {
			t.Type = ir.Type{Schema: output, Owner: ir.OwnerConversation, OwnerName: agent.Label(b.o.Name)}
		}
		return &ir.Run{Step: agent}
	case 3:
		return b.function(s, t)
	case 4:
		return b.builtin(s)
	case 5:
		return b.question(s, t)
	case 6:
		return b.other(s)
	case 7:
		return b.conditional(s, t)
	case 8:
		return b.repeat(s, t)
	case 9:
		return b.each(s, t)
	case 10:
		return b.fork(s, t)
	}

	return b.machine(s, t)
}

// function returns a call of a function: each has schemas or none as its number says.
func (b *workBuilder) function(s *workScope, t *ir.Task) ir.Op {
	i := b.rand.IntN(4)
	name := fmt.Sprintf("pkg.mod:func%d", i)
	f := b.known(name)
	if f == nil {
		f = &ir.Func{Name: textLiteral(name)}
		if i%2 == 1 {
			f.Input = record
		}
		if i >= 2 {
			f.Output = record
		}
		b.p.Funcs = append(b.p.Funcs, f)
	}
	if f.Output != nil {
		t.Type = ir.Type{Schema: f.Output, Owner: ir.OwnerFunc, OwnerName: name}
	}
	do := &ir.UseFunc{Func: f}
	if b.one(2) {
		do.Params = b.fields(s, 2)
	}

	return do
}

func (b *workBuilder) known(name string) *ir.Func {
	for _, f := range b.p.Funcs {
		if f.Name.Value == name {
			return f
		}
	}

	return nil
}

// builtin returns a call of a function that the language has itself.
func (b *workBuilder) builtin(s *workScope) ir.Op {
	kinds := [][]string{
		{"stringify", "x"}, {"context_set", "path", "value"}, {"context_merge", "path", "value"},
		{"context_get", "path", "default"}, {"to_csv", "rows", "headers"}, {"aggregate", "data", "operation", "field"},
		{"select_fields", "data", "include", "rename"}, {"flatten", "items"}, {"check_user_confirmation", "user_input"},
		{"http_get", "url"}, {"fs_write_file", "path", "content"},
	}
	kind := kinds[b.rand.IntN(len(kinds))]
	do := &ir.UseBuiltin{Builtin: kind[0]}
	for _, arg := range kind[1:] {
		if b.one(2) {
			do.Args = append(do.Args, ir.DatumField{Name: textLiteral(arg), Value: b.datum(s, 2)})
		}
	}
	b.rand.Shuffle(len(do.Args), func(i, j int) { do.Args[i], do.Args[j] = do.Args[j], do.Args[i] })

	return do
}

// question returns a step that asks a person.
func (b *workBuilder) question(s *workScope, t *ir.Task) ir.Op {
	do := &ir.Ask{}
	if b.one(2) {
		do.Message = b.template(s, 2)
	}
	if b.one(2) {
		do.Answer = ir.Type{Schema: record, Owner: ir.OwnerAnswer, OwnerName: b.o.Name + "/" + t.Name.Value}
		t.Type = do.Answer
	}

	return do
}

// other returns a run of another agent or workflow.
func (b *workBuilder) other(s *workScope) ir.Op {
	if n := len(b.o.Imports); n > 0 && b.one(2) {
		child := b.o.Imports[b.rand.IntN(n)]
		return &ir.Import{
			Agent: &ir.AgentRef{Text: child.Name, Agent: child}, Inherit: b.one(2), All: b.one(3),
			InputTo: ir.ImportInput(b.rand.IntN(3)), Key: "task", OnFailure: ir.ImportFailure(b.rand.IntN(3)),
			Outputs: []ir.ImportOutput{{Child: path("a"), Parent: path("b", "c")}, {Child: path(), Parent: path("d")}},
		}
	}
	if n := len(b.o.Agents); n > 0 {
		agent := b.o.Agents[b.rand.IntN(n)]
		return &ir.Run{Agent: &ir.AgentRef{Text: agent.Name, Agent: agent}}
	}

	return &ir.PassOn{}
}

func (b *workBuilder) arms(s *workScope, step string, n int) []*ir.Arm {
	var arms []*ir.Arm
	for i := range n {
		name := fmt.Sprintf("branch-%d", i)
		arms = append(arms, &ir.Arm{Name: textLiteral(name), Body: b.pipeline(b.inside(s, step, name), "branch "+name+" of "+step)})
	}

	return arms
}

func (b *workBuilder) conditional(s *workScope, t *ir.Task) ir.Op {
	do := &ir.Branch{Branches: b.arms(s, t.Name.Value, 1+b.rand.IntN(3))}
	switch b.rand.IntN(3) {
	case 0:
		do.Key = b.formula(s, 2)
	case 1:
		do.Func = b.function(s, &ir.Task{}).(*ir.UseFunc).Func
	}
	if b.one(2) {
		do.Default = b.pipeline(b.inside(s, t.Name.Value, "default"), "the default of "+t.Name.Value)
	}

	return do
}

func (b *workBuilder) repeat(s *workScope, t *ir.Task) ir.Op {
	do := &ir.Loop{Body: b.pipeline(b.inside(s, t.Name.Value, "body"), "loop "+t.Name.Value), Max: 2 + b.rand.IntN(3)}
	switch b.rand.IntN(3) {
	case 0:
		do.Exit = b.formula(&workScope{before: lastOf(do.Body), event: true, depth: s.depth}, 3)
	case 1:
		do.Func = b.function(s, &ir.Task{}).(*ir.UseFunc).Func
	}

	return do
}

func lastOf(p *ir.Pipeline) *ir.Output {
	if len(p.Tasks) == 0 {
		return nil
	}

	return p.Tasks[len(p.Tasks)-1].Output
}

func (b *workBuilder) each(s *workScope, t *ir.Task) ir.Op {
	inner := b.inside(s, t.Name.Value, "body")
	inner.this = true
	do := &ir.Loop{Over: path("order", "items").Access(ir.Type{}, nil), Body: b.pipeline(inner, "map "+t.Name.Value)}
	if b.one(2) {
		do.Result = b.datum(&workScope{event: true, depth: s.depth}, 2)
	}

	return do
}

func (b *workBuilder) fork(s *workScope, t *ir.Task) ir.Op {
	do := &ir.Parallel{
		Branches: b.arms(s, t.Name.Value, 1+b.rand.IntN(3)), Merge: ir.Merge(b.rand.IntN(5)), Reduce: ir.Reduce(b.rand.IntN(8)),
		Failed: ir.Tolerance(b.rand.IntN(2)),
	}
	if b.one(2) {
		do.Branches[0].Only, do.Branches[0].Fields = true, []*ir.ContextPath{path("a"), path("b", "c")}
	}

	return do
}

func path(names ...string) *ir.ContextPath {
	p := &ir.ContextPath{Text: textLiteral("context")}
	for _, name := range names {
		p.Path = append(p.Path, textLiteral(name))
	}

	return p
}
