package emittest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// FlowOptions describe a random flow.
type FlowOptions struct {
	// Name is the flow's name; "flow" if empty.
	Name string
	// Size is the approximate number of operations in a body; 4 if zero.
	Size int
	// Agents are the agents that it may run. Without any it has neither branches nor agents.
	Agents []*ir.Agent
}

// AddFlow adds a random flow to p, with nested operations of every kind. It uses each result, as
// the front end ensures. The same seed gives the same flow. Agents are not sorted: see
// [SortAgents].
func AddFlow(p *ir.Program, seed uint64, o FlowOptions) *ir.Agent {
	o.Name = cmp.Or(o.Name, "flow")
	o.Size = cmp.Or(o.Size, 4)
	b := &flowBuilder{o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), flow: &ir.Flow{Kind: "plan-execute"}, names: map[string]int{}, variables: map[string]*ir.Output{}}
	b.flow.Body = ir.NewPipeline(b.newFlowBody()...)
	a := &ir.Agent{
		Name: newText(o.Name), File: AgentFile(o.Name), Description: newText("A random flow."), Version: "1", Prompt: newText("Begin.\n"), Node: b.flow,
	}
	p.Agents = append(p.Agents, a)

	return a
}

type flowBuilder struct {
	o    FlowOptions
	rand *rand.Rand
	flow *ir.Flow
	// names counts the names of each kind.
	names map[string]int
	// variables are the variables of the flow by name.
	variables map[string]*ir.Output
}

// sharedOutput returns the output of a name. It makes one at the first use.
func (b *flowBuilder) sharedOutput(name string) *ir.Output {
	if b.variables[name] == nil {
		b.variables[name] = ir.NewOutput(name)
	}

	return b.variables[name]
}

func (b *flowBuilder) valueOf(name string) ir.Expression {
	return ir.OutputAccess(b.sharedOutput(name))
}

func (b *flowBuilder) reportOf(name string) ir.Expression { return &ir.Report{X: b.valueOf(name)} }

// newTask returns a task; its output has the name, unless that is empty.
func (b *flowBuilder) newTask(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: newText(name), Do: do}
	if name != "" {
		t.Output = b.sharedOutput(name)
	}
	if input != nil {
		t.Input = ir.ExpressionDatum(input)
	}

	return t
}

func (b *flowBuilder) newAssignment(name string, value ir.Expression) *ir.Task {
	return b.newTask(name, &ir.PassOn{}, value)
}

func (b *flowBuilder) newBranch(condition ir.Expression, then ...*ir.Task) *ir.Task {
	return b.newTask("", ir.NewCondition(condition, then...), nil)
}

// scope is the set of names that the tasks of a body can use.
type scope struct {
	// runs, answers and groups are the names of results; texts are the texts.
	runs, answers, groups []string
	texts                 []ir.Expression
	// unused are sections about results that nothing has used yet.
	unused []ir.Section
	depth  int
}

// newInner returns the scope of an inner body.
func (s *scope) newInner() *scope {
	return &scope{
		runs: slices.Clip(s.runs), answers: slices.Clip(s.answers), groups: slices.Clip(s.groups), texts: slices.Clip(s.texts),
		depth: s.depth + 1,
	}
}

// notes and task are variables that every body can set.
const (
	notes = "notes"
	task  = "task"
)

// newFlowBody returns the body of the flow.
func (b *flowBuilder) newFlowBody() []*ir.Task {
	s := &scope{texts: []ir.Expression{b.valueOf(task)}}
	tasks := []*ir.Task{
		b.newAssignment(task, ir.InputAccess()),
		b.newAssignment(notes, &ir.Notes{Sections: []ir.Section{{Title: "task", Text: b.valueOf(task)}}}),
	}
	tasks = append(tasks, b.newBody(s)...)
	if b.rand.IntN(3) == 0 {
		return append(tasks, b.newEndlessLoop(s))
	}
	last := b.newRun(s, b.newName("result"))
	last.Input = ir.ExpressionDatum(b.reportOf(notes))

	return append(tasks, last, b.newReturn(&scope{}, last.Name.Value))
}

// newEndlessLoop returns a loop that ends the flow: it repeats until it is done, or the limit is
// reached.
func (b *flowBuilder) newEndlessLoop(around *scope) *ir.Task {
	s := around.newInner()
	tasks := b.newBody(s)
	verdict := b.newStepRun(b.newName("verdict"))
	name := verdict.Name.Value
	verdict.Do.(*ir.Run).At = ir.Place{Kind: ir.PlaceOpen, State: name, Keys: []string{"done", "over"}}
	loop := &ir.Loop{Turn: b.sharedOutput(b.newName("try")), Width: 1, OnBound: ir.BoundDone, Reduce: ir.ReduceLast}
	document := &ir.Document{X: b.valueOf(notes)}
	limit := b.newTask("", &ir.Return{Key: ir.KeyUnfinished, Limit: 2, Feedback: b.valueOf(name)}, document)
	if b.rand.IntN(2) == 0 {
		limit = b.newTask("", &ir.Return{Key: ir.KeyExhausted}, b.valueOf(name))
	}
	var done ir.Expression = &ir.SaysDone{X: b.valueOf(name)}
	if b.rand.IntN(2) == 0 {
		done = ir.KeyTest{Of: b.sharedOutput(name), Key: "over"}.Expression()
	}
	loop.Body = ir.NewPipeline(append(tasks, verdict,
		b.newBranch(done, b.newTask("", &ir.Return{Key: ir.KeyDone}, document)),
		b.newBranch(ir.TurnTest{Turn: loop.Turn, N: 2}.Expression(), limit),
		b.newAssignment(task, b.newNotes(s, "")))...)

	return b.newTask("", loop, nil)
}

// newBody returns some tasks; the last of them notes the unused results.
func (b *flowBuilder) newBody(s *scope) []*ir.Task {
	var tasks []*ir.Task
	for range 1 + b.rand.IntN(b.o.Size) {
		tasks = append(tasks, b.newOperation(s)...)
	}
	if len(s.unused) > 0 {
		tasks = append(tasks, b.newNote(s.unused...))
	}

	return tasks
}

// newOperation returns an operation of any kind, with the tasks that it needs before and after it.
func (b *flowBuilder) newOperation(s *scope) []*ir.Task {
	kind := b.rand.IntN(10)
	switch {
	case kind == 0 && len(s.runs) > 0:
		name := b.newName("answer")
		ask := b.newTask(name, &ir.Ask{}, b.valueOf(pickOne(b, s.runs)))
		s.answers = append(s.answers, name)
		s.unused = append(s.unused, ir.Section{Title: "answer", Text: b.valueOf(name)})

		return []*ir.Task{ask}
	case kind == 1:
		name := b.newName("variants")
		loop := &ir.Loop{
			Width: 8, Max: 1 + b.rand.IntN(3), OnBound: ir.BoundDone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
			Title: "variant", Body: ir.NewPipeline(b.newRun(s, "")),
		}
		return []*ir.Task{b.addGroup(s, name, loop)}
	case kind == 2 && len(b.o.Agents) > 0:
		name := b.newName("results")
		return []*ir.Task{b.addGroup(s, name, b.newParallel(s))}
	case kind <= 4 && s.depth < 2:
		return []*ir.Task{b.newNested(s)}
	case kind == 5:
		return b.newList(s)
	case kind == 6:
		return []*ir.Task{b.newNote(ir.Section{Title: "so far", Text: b.newNotes(s, "")}, ir.Section{Title: "task", Text: ir.InputAccess()})}
	}
	run := b.newRun(s, b.newName("result"))
	s.runs = append(s.runs, run.Name.Value)
	s.unused = append(s.unused, ir.Section{Title: "result", Text: b.valueOf(run.Name.Value)})

	return []*ir.Task{run}
}

// addGroup adds the results of a group to the scope.
func (b *flowBuilder) addGroup(s *scope, name string, op ir.Op) *ir.Task {
	s.groups = append(s.groups, name)
	s.unused = append(s.unused, ir.Section{Title: "results", Text: b.reportOf(name)})

	return b.newTask(name, op, nil)
}

func (b *flowBuilder) newNote(sections ...ir.Section) *ir.Task {
	return b.newAssignment(notes, &ir.Notes{Base: b.valueOf(notes), Sections: sections})
}

func (b *flowBuilder) newParallel(s *scope) *ir.Parallel {
	op := &ir.Parallel{Width: 8, Merge: ir.MergeNone, Failed: ir.FailureReported, Reduce: ir.ReduceResults}
	input := b.randomText(s)
	for _, i := range b.rand.Perm(len(b.o.Agents)) {
		ref := b.agentAt(i)
		op.Branches = append(op.Branches, &ir.Arm{Name: ref.Text, Body: ir.NewPipeline(b.newTask("", &ir.Run{Agent: ref}, input))})
	}

	return op
}

// newNested returns an operation with a body.
func (b *flowBuilder) newNested(s *scope) *ir.Task {
	in := s.newInner()
	kind := b.rand.IntN(4)
	if kind > 0 || len(s.runs) == 0 {
		loop := &ir.Loop{Max: 1 + b.rand.IntN(3), OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast, Body: ir.NewPipeline(b.newBody(in)...)}
		if kind == 1 {
			loop.Turn = b.sharedOutput(b.newName("round"))
			first := b.newBranch(ir.TurnTest{Turn: loop.Turn, N: 1}.Expression(), b.newBody(s.newInner())...)
			loop.Body.Tasks = append(loop.Body.Tasks, first)
		}

		return b.newTask("", loop, nil)
	}

	of := pickOne(b, s.runs)
	if b.rand.IntN(2) == 0 {
		return b.newBranch(&ir.SaysDone{X: b.valueOf(of)}, b.newBody(in)...)
	}
	test := ir.KeyTest{Of: b.sharedOutput(of), Key: "stop", Not: b.rand.IntN(2) == 0}

	return b.newBranch(test.Expression(), append(b.newBody(in), b.newReturn(s, of))...)
}

// newList returns a run that returns a list, and an operation on each of its items.
func (b *flowBuilder) newList(s *scope) []*ir.Task {
	rule := &ir.ListRule{Kind: ir.ListItems + ir.ListKind(b.rand.IntN(3)), Max: 1000}
	of := b.newStepRun(b.newName("listed"))
	of.Input = ir.ExpressionDatum(b.randomText(s))
	switch n := of.Do.(*ir.Run).Step.Node.(type) {
	case *ir.React:
		rule.Key = "list"
		of.Do.(*ir.Run).At = ir.Place{Kind: ir.PlaceOr, State: of.Name.Value, Keys: []string{rule.Key}}
		n.List = rule
	case *ir.Oneshot:
		n.List = rule
	}
	s.runs = append(s.runs, of.Name.Value)
	item := b.sharedOutput(b.newName("item"))
	loop := &ir.Loop{
		Over: &ir.ListOf{Kind: rule.Kind, Of: of.Output}, Item: item, OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast,
	}
	if b.rand.IntN(2) == 0 {
		in := s.newInner()
		in.texts = append(in.texts, ir.ItemAccess(item))
		in.unused = append(in.unused, ir.Section{Title: "item", Text: ir.ItemAccess(item)})
		loop.Body = ir.NewPipeline(b.newBody(in)...)

		return []*ir.Task{of, b.newTask("", loop, nil)}
	}

	in := s.newInner()
	in.texts = append(in.texts, ir.ItemAccess(item))
	run := b.newRun(in, "")
	if len(b.o.Agents) > 0 && b.rand.IntN(2) == 0 { // an agent as it is, which needs no function around it where any key will do
		plain := &ir.Run{Agent: b.agentAt(b.rand.IntN(len(b.o.Agents)))}
		plain.At.Kind = ir.PlaceKind(b.rand.IntN(2))
		run = b.newTask("", plain, ir.ItemAccess(item))
	}
	loop.Width, loop.Failed, loop.Reduce, loop.Body = 8, ir.FailureReported, ir.ReduceResults, ir.NewPipeline(run)

	return []*ir.Task{of, b.addGroup(s, b.newName("results"), loop)}
}

// newReturn returns an end of the flow after a run.
func (b *flowBuilder) newReturn(s *scope, run string) *ir.Task {
	switch b.rand.IntN(4) {
	case 0:
		return b.newTask("", &ir.Return{Key: ir.KeyOwn}, b.valueOf(run))
	case 1:
		return b.newTask("", &ir.Return{Key: ir.KeyExhausted}, b.valueOf(run))
	case 2:
		if len(s.groups) > 0 {
			group := b.valueOf(pickOne(b, s.groups))
			form := []ir.Expression{&ir.Document{X: group}, &ir.Object{X: group}}[b.rand.IntN(2)]
			return b.newTask("", &ir.Return{Key: ir.KeyDone}, form)
		}
	}

	return b.newTask("", &ir.Return{Key: ir.KeyDone}, b.valueOf(run))
}

// newRun returns a run of an agent or of a new step, at a place that decides nothing.
func (b *flowBuilder) newRun(s *scope, name string) *ir.Task {
	t := b.newStepRun(name)
	if len(b.o.Agents) > 0 && b.rand.IntN(3) == 0 {
		b.flow.Conversations = b.flow.Conversations[:len(b.flow.Conversations)-1]
		t.Do = &ir.Run{Agent: b.agentAt(b.rand.IntN(len(b.o.Agents)))}
	}
	t.Input = ir.ExpressionDatum(b.randomText(s))
	if b.rand.IntN(3) == 0 {
		t.Do.(*ir.Run).At.Kind = ir.PlaceOuter
	}

	return t
}

// newStepRun returns a run of a new step of the flow.
func (b *flowBuilder) newStepRun(name string) *ir.Task {
	s := &ir.Step{Prompt: newText("Do your part.\n")}
	if len(b.flow.Conversations) > 0 {
		s.Name = newText(fmt.Sprintf("part-%d", len(b.flow.Conversations)))
	}
	s.Call.Role, s.Node = randomConversation(b.rand)
	b.flow.Conversations = append(b.flow.Conversations, s)

	return b.newTask(name, &ir.Run{Step: s}, b.reportOf(notes))
}

func (b *flowBuilder) agentAt(i int) *ir.AgentRef {
	a := b.o.Agents[i]

	return &ir.AgentRef{Text: a.Name, Agent: a}
}

// randomText returns a text of any kind.
func (b *flowBuilder) randomText(s *scope) ir.Expression {
	switch b.rand.IntN(6) {
	case 0:
		return ir.InputAccess()
	case 1:
		return b.reportOf(notes)
	case 2:
		return pickOne(b, s.texts)
	case 3:
		return b.newNotes(s, notes)
	}

	return b.newNotes(s, "")
}

// newNotes returns some titled results, after base unless that is empty.
func (b *flowBuilder) newNotes(s *scope, base string) ir.Expression {
	all := []ir.Section{{Title: "input", Text: ir.InputAccess()}}
	for _, name := range slices.Concat(s.runs, s.answers) {
		all = append(all, ir.Section{Title: "result", Text: b.valueOf(name)})
	}
	for _, name := range s.groups {
		all = append(all, ir.Section{Title: "all results", Text: b.reportOf(name)})
	}
	for _, text := range s.texts {
		all = append(all, ir.Section{Title: "text", Text: text})
	}
	b.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:1+b.rand.IntN(len(all))]
	if base == "" {
		return ir.NewReport(nil, all...)
	}

	return ir.NewReport(b.valueOf(base), all...)
}

func pickOne[T any](b *flowBuilder, list []T) T { return list[b.rand.IntN(len(list))] }

// newName returns an unused name.
func (b *flowBuilder) newName(kind string) string {
	b.names[kind]++

	return fmt.Sprintf("%s%d", kind, b.names[kind])
}
