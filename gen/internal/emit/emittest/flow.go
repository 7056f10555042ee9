package emittest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// FlowOptions say what a random flow looks like.
type FlowOptions struct {
	// Name is the flow's name; "flow" if empty.
	Name string
	// Size is about how many operations are in a body; 4 if zero.
	Size int
	// Agents are those that it may run. Without any it has neither branches nor agents.
	Agents []*ir.Agent
}

// Flow adds a random flow to p: operations of every kind, nested, with each result used, as the
// front end promises. The same seed gives the same flow. Agents are not sorted: see [Sort].
func Flow(p *ir.Program, seed uint64, o FlowOptions) *ir.Agent {
	o.Name = cmp.Or(o.Name, "flow")
	o.Size = cmp.Or(o.Size, 4)
	b := &flowBuilder{o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), flow: &ir.Flow{Kind: "plan-execute"}, names: map[string]int{}, variables: map[string]*ir.Output{}}
	b.flow.Body = ir.Sequence(b.whole()...)
	a := &ir.Agent{
		Name: text(o.Name), File: File(o.Name), Description: text("A random flow."), Version: "1", Prompt: text("Begin.\n"), Node: b.flow,
	}
	p.Agents = append(p.Agents, a)

	return a
}

type flowBuilder struct {
	o    FlowOptions
	rand *rand.Rand
	flow *ir.Flow
	// names counts the names of each kind that were given.
	names map[string]int
	// variables are the variables of the flow by name.
	variables map[string]*ir.Output
}

func (b *flowBuilder) variable(name string) *ir.Output {
	if b.variables[name] == nil {
		b.variables[name] = ir.Variable(name)
	}

	return b.variables[name]
}

func (b *flowBuilder) value(name string) ir.Expression { return ir.ValueOf(b.variable(name)) }

func (b *flowBuilder) report(name string) ir.Expression { return &ir.Report{X: b.value(name)} }

// does returns a task; its output has the name, unless that is empty.
func (b *flowBuilder) does(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: text(name), Do: do}
	if name != "" {
		t.Output = b.variable(name)
	}
	if input != nil {
		t.Input = ir.Given(input)
	}

	return t
}

func (b *flowBuilder) assign(name string, value ir.Expression) *ir.Task {
	return b.does(name, &ir.PassOn{}, value)
}

func (b *flowBuilder) when(condition ir.Expression, then ...*ir.Task) *ir.Task {
	return b.does("", ir.When(condition, then...), nil)
}

// scope is what the tasks of a body can name.
type scope struct {
	// runs, answers and groups are the names of results; texts are the texts.
	runs, answers, groups []string
	texts                 []ir.Expression
	// unused are sections about what nothing has named yet.
	unused []ir.Section
	depth  int
}

// inner returns the scope of a body inside of s.
func (s *scope) inner() *scope {
	return &scope{
		runs: slices.Clip(s.runs), answers: slices.Clip(s.answers), groups: slices.Clip(s.groups), texts: slices.Clip(s.texts),
		depth: s.depth + 1,
	}
}

// notes and task are the names of what every body can add to, and set.
const (
	notes = "notes"
	task  = "task"
)

// whole returns the body of the flow.
func (b *flowBuilder) whole() []*ir.Task {
	s := &scope{texts: []ir.Expression{b.value(task)}}
	tasks := []*ir.Task{
		b.assign(task, ir.GivenText()),
		b.assign(notes, &ir.Notes{Sections: []ir.Section{{Title: "task", Text: b.value(task)}}}),
	}
	tasks = append(tasks, b.body(s)...)
	if b.rand.IntN(3) == 0 {
		return append(tasks, b.endless(s))
	}
	last := b.run(s, b.name("result"))
	last.Input = ir.Given(b.report(notes))

	return append(tasks, last, b.end(&scope{}, last.Name.Value))
}

// endless returns a loop that ends the flow: it tries until something says that it is done, or the
// limit is reached.
func (b *flowBuilder) endless(around *scope) *ir.Task {
	s := around.inner()
	tasks := b.body(s)
	verdict := b.step(b.name("verdict"))
	name := verdict.Name.Value
	verdict.Do.(*ir.Run).At = ir.Place{Kind: ir.PlaceOpen, State: name, Keys: []string{"done", "over"}}
	loop := &ir.Loop{Turn: b.variable(b.name("try")), Width: 1, OnBound: ir.BoundDone, Reduce: ir.ReduceLast}
	document := &ir.Document{X: b.value(notes)}
	limit := b.does("", &ir.Return{Key: ir.KeyUnfinished, Limit: 2, Feedback: b.value(name)}, document)
	if b.rand.IntN(2) == 0 {
		limit = b.does("", &ir.Return{Key: ir.KeyExhausted}, b.value(name))
	}
	var done ir.Expression = &ir.SaysDone{X: b.value(name)}
	if b.rand.IntN(2) == 0 {
		done = ir.KeyTest{Of: b.variable(name), Key: "over"}.Expression()
	}
	loop.Body = ir.Sequence(append(tasks, verdict,
		b.when(done, b.does("", &ir.Return{Key: ir.KeyDone}, document)),
		b.when(ir.TurnTest{Turn: loop.Turn, N: 2}.Expression(), limit),
		b.assign(task, b.brief(s, "")))...)

	return b.does("", loop, nil)
}

// body returns some tasks; the last of them notes what nothing else has named.
func (b *flowBuilder) body(s *scope) []*ir.Task {
	var tasks []*ir.Task
	for range 1 + b.rand.IntN(b.o.Size) {
		tasks = append(tasks, b.op(s)...)
	}
	if len(s.unused) > 0 {
		tasks = append(tasks, b.note(s.unused...))
	}

	return tasks
}

// op returns an operation of any kind, with what it needs before and after it.
func (b *flowBuilder) op(s *scope) []*ir.Task {
	kind := b.rand.IntN(10)
	switch {
	case kind == 0 && len(s.runs) > 0:
		name := b.name("answer")
		ask := b.does(name, &ir.Ask{}, b.value(pick(b, s.runs)))
		s.answers = append(s.answers, name)
		s.unused = append(s.unused, ir.Section{Title: "answer", Text: b.value(name)})

		return []*ir.Task{ask}
	case kind == 1:
		name := b.name("variants")
		loop := &ir.Loop{
			Width: 8, Max: 1 + b.rand.IntN(3), OnBound: ir.BoundDone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
			Title: "variant", Body: ir.Sequence(b.run(s, "")),
		}
		return []*ir.Task{b.group(s, name, loop)}
	case kind == 2 && len(b.o.Agents) > 0:
		name := b.name("results")
		return []*ir.Task{b.group(s, name, b.together(s))}
	case kind <= 4 && s.depth < 2:
		return []*ir.Task{b.nested(s)}
	case kind == 5:
		return b.list(s)
	case kind == 6:
		return []*ir.Task{b.note(ir.Section{Title: "so far", Text: b.brief(s, "")}, ir.Section{Title: "task", Text: ir.GivenText()})}
	}
	run := b.run(s, b.name("result"))
	s.runs = append(s.runs, run.Name.Value)
	s.unused = append(s.unused, ir.Section{Title: "result", Text: b.value(run.Name.Value)})

	return []*ir.Task{run}
}

// group makes the results of a group known.
func (b *flowBuilder) group(s *scope, name string, op ir.Op) *ir.Task {
	s.groups = append(s.groups, name)
	s.unused = append(s.unused, ir.Section{Title: "results", Text: b.report(name)})

	return b.does(name, op, nil)
}

func (b *flowBuilder) note(sections ...ir.Section) *ir.Task {
	return b.assign(notes, &ir.Notes{Base: b.value(notes), Sections: sections})
}

func (b *flowBuilder) together(s *scope) *ir.Parallel {
	op := &ir.Parallel{Width: 8, Merge: ir.MergeNone, Failed: ir.FailureReported, Reduce: ir.ReduceResults}
	input := b.text(s)
	for _, i := range b.rand.Perm(len(b.o.Agents)) {
		ref := b.agent(i)
		op.Branches = append(op.Branches, &ir.Arm{Name: ref.Text, Body: ir.Sequence(b.does("", &ir.Run{Agent: ref}, input))})
	}

	return op
}

// nested returns an operation with a body.
func (b *flowBuilder) nested(s *scope) *ir.Task {
	in := s.inner()
	kind := b.rand.IntN(4)
	if kind > 0 || len(s.runs) == 0 {
		loop := &ir.Loop{Max: 1 + b.rand.IntN(3), OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast, Body: ir.Sequence(b.body(in)...)}
		if kind == 1 {
			loop.Turn = b.variable(b.name("round"))
			first := b.when(ir.TurnTest{Turn: loop.Turn, N: 1}.Expression(), b.body(s.inner())...)
			loop.Body.Tasks = append(loop.Body.Tasks, first)
		}

		return b.does("", loop, nil)
	}

	of := pick(b, s.runs)
	if b.rand.IntN(2) == 0 {
		return b.when(&ir.SaysDone{X: b.value(of)}, b.body(in)...)
	}
	test := ir.KeyTest{Of: b.variable(of), Key: "stop", Not: b.rand.IntN(2) == 0}

	return b.when(test.Expression(), append(b.body(in), b.end(s, of))...)
}

// list returns a run that gives a list, and something that is done with each of its items.
func (b *flowBuilder) list(s *scope) []*ir.Task {
	rule := &ir.ListRule{Kind: ir.ListItems + ir.ListKind(b.rand.IntN(3)), Max: 1000}
	of := b.step(b.name("listed"))
	of.Input = ir.Given(b.text(s))
	switch n := of.Do.(*ir.Run).Step.Node.(type) {
	case *ir.React:
		rule.Key = "list"
		of.Do.(*ir.Run).At = ir.Place{Kind: ir.PlaceOr, State: of.Name.Value, Keys: []string{rule.Key}}
		n.List = rule
	case *ir.Oneshot:
		n.List = rule
	}
	s.runs = append(s.runs, of.Name.Value)
	item := b.variable(b.name("item"))
	loop := &ir.Loop{
		Over: &ir.ListOf{Kind: rule.Kind, Of: of.Output}, Item: item, OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast,
	}
	if b.rand.IntN(2) == 0 {
		in := s.inner()
		in.texts = append(in.texts, ir.ItemOf(item))
		in.unused = append(in.unused, ir.Section{Title: "item", Text: ir.ItemOf(item)})
		loop.Body = ir.Sequence(b.body(in)...)

		return []*ir.Task{of, b.does("", loop, nil)}
	}

	in := s.inner()
	in.texts = append(in.texts, ir.ItemOf(item))
	run := b.run(in, "")
	if len(b.o.Agents) > 0 && b.rand.IntN(2) == 0 { // an agent as it is, which needs no function around it where any key will do
		plain := &ir.Run{Agent: b.agent(b.rand.IntN(len(b.o.Agents)))}
		plain.At.Kind = ir.PlaceKind(b.rand.IntN(2))
		run = b.does("", plain, ir.ItemOf(item))
	}
	loop.Width, loop.Failed, loop.Reduce, loop.Body = 8, ir.FailureReported, ir.ReduceResults, ir.Sequence(run)

	return []*ir.Task{of, b.group(s, b.name("results"), loop)}
}

// end returns an end of the flow at which a run is known.
func (b *flowBuilder) end(s *scope, run string) *ir.Task {
	switch b.rand.IntN(4) {
	case 0:
		return b.does("", &ir.Return{Key: ir.KeyOwn}, b.value(run))
	case 1:
		return b.does("", &ir.Return{Key: ir.KeyExhausted}, b.value(run))
	case 2:
		if len(s.groups) > 0 {
			group := b.value(pick(b, s.groups))
			form := []ir.Expression{&ir.Document{X: group}, &ir.Object{X: group}}[b.rand.IntN(2)]
			return b.does("", &ir.Return{Key: ir.KeyDone}, form)
		}
	}

	return b.does("", &ir.Return{Key: ir.KeyDone}, b.value(run))
}

// run returns a run of an agent or of a new step, at any place that does not decide anything.
func (b *flowBuilder) run(s *scope, name string) *ir.Task {
	t := b.step(name)
	if len(b.o.Agents) > 0 && b.rand.IntN(3) == 0 {
		b.flow.Conversations = b.flow.Conversations[:len(b.flow.Conversations)-1]
		t.Do = &ir.Run{Agent: b.agent(b.rand.IntN(len(b.o.Agents)))}
	}
	t.Input = ir.Given(b.text(s))
	if b.rand.IntN(3) == 0 {
		t.Do.(*ir.Run).At.Kind = ir.PlaceOuter
	}

	return t
}

// step returns a run of a new step of the flow.
func (b *flowBuilder) step(name string) *ir.Task {
	s := &ir.Step{Prompt: text("Do your part.\n")}
	if len(b.flow.Conversations) > 0 {
		s.Name = text(fmt.Sprintf("part-%d", len(b.flow.Conversations)))
	}
	s.Call.Role, s.Node = conversation(b.rand)
	b.flow.Conversations = append(b.flow.Conversations, s)

	return b.does(name, &ir.Run{Step: s}, b.report(notes))
}

func (b *flowBuilder) agent(i int) *ir.AgentRef {
	a := b.o.Agents[i]

	return &ir.AgentRef{Text: a.Name, Agent: a}
}

// text returns a text of any kind.
func (b *flowBuilder) text(s *scope) ir.Expression {
	switch b.rand.IntN(6) {
	case 0:
		return ir.GivenText()
	case 1:
		return b.report(notes)
	case 2:
		return pick(b, s.texts)
	case 3:
		return b.brief(s, notes)
	}

	return b.brief(s, "")
}

// brief returns some of what is known under titles, behind those of base, unless that is empty.
func (b *flowBuilder) brief(s *scope, base string) ir.Expression {
	all := []ir.Section{{Title: "input", Text: ir.GivenText()}}
	for _, name := range slices.Concat(s.runs, s.answers) {
		all = append(all, ir.Section{Title: "result", Text: b.value(name)})
	}
	for _, name := range s.groups {
		all = append(all, ir.Section{Title: "all results", Text: b.report(name)})
	}
	for _, text := range s.texts {
		all = append(all, ir.Section{Title: "text", Text: text})
	}
	b.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:1+b.rand.IntN(len(all))]
	if base == "" {
		return ir.Brief(nil, all...)
	}

	return ir.Brief(b.value(base), all...)
}

func pick[T any](b *flowBuilder, list []T) T { return list[b.rand.IntN(len(list))] }

// name returns a name that no other result has.
func (b *flowBuilder) name(kind string) string {
	b.names[kind]++

	return fmt.Sprintf("%s%d", kind, b.names[kind])
}
