package emittest

import (
	"cmp"
	"fmt"
	"math/rand/v2"

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

// Flow adds a random flow to p: operations of every kind, nested, with each result used, as the front end promises. The same
// seed gives the same flow. Agents are not sorted: see [Sort].
func Flow(p *ir.Program, seed uint64, o FlowOptions) *ir.Agent {
	o.Name = cmp.Or(o.Name, "flow")
	o.Size = cmp.Or(o.Size, 4)
	b := &flowBuilder{o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), flow: &ir.Flow{Kind: "plan-execute"}, names: map[string]int{}}
	b.flow.Body = b.whole()
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
}

// scope is what the operations of a body can name.
type scope struct {
	// runs, answers, groups and texts are the names of results and texts.
	runs, answers, groups, texts []string
	// unused are sections about what nothing has named yet.
	unused []ir.Section
	depth  int
}

// inner returns the scope of a body inside of s.
func (s *scope) inner() *scope {
	clip := func(list []string) []string { return list[:len(list):len(list)] }

	return &scope{
		runs: clip(s.runs), answers: clip(s.answers), groups: clip(s.groups), texts: clip(s.texts), depth: s.depth + 1,
	}
}

// notes and task are the names of what every body can add to, and set.
const (
	notes = "notes"
	task  = "task"
)

// whole returns the body of the flow.
func (b *flowBuilder) whole() []ir.Op {
	s := &scope{texts: []string{task}}
	ops := []ir.Op{
		&ir.Set{Var: task, New: true, Value: ir.Input{}},
		&ir.Set{Var: notes, New: true, Value: ir.Notes{Sections: []ir.Section{{Title: "task", Text: ir.TextOf{Var: task}}}}},
	}
	ops = append(ops, b.body(s)...)
	if b.rand.IntN(3) == 0 {
		return append(ops, b.endless(s))
	}
	last := b.run(s, b.name("result"))
	last.Input = ir.Report{Var: notes}

	return append(ops, last, b.end(&scope{}, last.Var))
}

// endless returns a loop that ends the flow: it tries until something says that it is done, or the limit is reached.
func (b *flowBuilder) endless(around *scope) ir.Op {
	s := around.inner()
	ops := b.body(s)
	verdict := b.step(b.name("verdict"))
	verdict.At = ir.Place{Kind: ir.PlaceOpen, State: verdict.Var, Keys: []string{"done", "over"}}
	loop := &ir.Loop{Counter: b.name("try")}
	limit := &ir.Return{Key: ir.KeyUnfinished, Var: notes, Form: ir.FormDocument, Limit: 2, Feedback: verdict.Var}
	if b.rand.IntN(2) == 0 {
		limit = &ir.Return{Key: ir.KeyExhausted, Var: verdict.Var}
	}
	var done ir.Cond = ir.SaysDone{Var: verdict.Var}
	if b.rand.IntN(2) == 0 {
		done = ir.KeyIs{Var: verdict.Var, Key: "over"}
	}
	loop.Body = ir.Sequence(append(ops, verdict,
		ir.When(done, &ir.Return{Key: ir.KeyDone, Var: notes, Form: ir.FormDocument}),
		ir.When(ir.AtLimit{Counter: loop.Counter, N: 2}, limit),
		&ir.Set{Var: task, Value: b.brief(s, "")})...)

	return loop
}

// body returns some operations; the last of them notes what nothing else has named.
func (b *flowBuilder) body(s *scope) []ir.Op {
	var ops []ir.Op
	for range 1 + b.rand.IntN(b.o.Size) {
		ops = append(ops, b.op(s)...)
	}
	if len(s.unused) > 0 {
		ops = append(ops, note(s.unused...))
	}

	return ops
}

// op returns an operation of any kind, with what it needs before and after it.
func (b *flowBuilder) op(s *scope) []ir.Op {
	kind := b.rand.IntN(10)
	switch {
	case kind == 0 && len(s.runs) > 0:
		ask := &ir.Ask{Var: b.name("answer"), Question: b.any(s.runs)}
		s.answers = append(s.answers, ask.Var)
		s.unused = append(s.unused, ir.Section{Title: "answer", Text: ir.Value{Var: ask.Var}})

		return []ir.Op{ask}
	case kind == 1:
		return []ir.Op{b.group(s, &ir.Parallel{
			Var: b.name("variants"), Limit: 8, N: 1 + b.rand.IntN(3), Title: "variant", Branches: ir.SideBySide(b.run(s, "")),
		})}
	case kind == 2 && len(b.o.Agents) > 0:
		return []ir.Op{b.group(s, b.together(s))}
	case kind <= 4 && s.depth < 2:
		return []ir.Op{b.nested(s)}
	case kind == 5:
		return b.list(s)
	case kind == 6:
		return []ir.Op{note(ir.Section{Title: "so far", Text: b.brief(s, "")}, ir.Section{Title: "task", Text: ir.Input{}})}
	}
	run := b.run(s, b.name("result"))
	s.runs = append(s.runs, run.Var)
	s.unused = append(s.unused, ir.Section{Title: "result", Text: ir.Value{Var: run.Var}})

	return []ir.Op{run}
}

// group makes the results of a group known.
func (b *flowBuilder) group(s *scope, op *ir.Parallel) ir.Op {
	s.groups = append(s.groups, op.Var)
	s.unused = append(s.unused, ir.Section{Title: "results", Text: ir.Report{Var: op.Var}})

	return op
}

func note(sections ...ir.Section) *ir.Set {
	return &ir.Set{Var: notes, Value: ir.Notes{Base: notes, Sections: sections}}
}

func (b *flowBuilder) together(s *scope) *ir.Parallel {
	op := &ir.Parallel{Var: b.name("results"), Limit: 8}
	input := b.text(s)
	for _, i := range b.rand.Perm(len(b.o.Agents)) {
		op.Branches = append(op.Branches, ir.SideBySide(&ir.Run{Agent: b.agent(i), Input: input})...)
	}

	return op
}

// nested returns an operation with a body.
func (b *flowBuilder) nested(s *scope) ir.Op {
	in := s.inner()
	kind := b.rand.IntN(4)
	if kind > 0 || len(s.runs) == 0 {
		loop := &ir.Loop{Times: 1 + b.rand.IntN(3), Body: ir.Sequence(b.body(in)...)}
		if kind == 1 {
			loop.Counter = b.name("round")
			loop.Body.Body = append(loop.Body.Body, ir.When(ir.AtLimit{Counter: loop.Counter, N: 1}, b.body(s.inner())...))
		}

		return loop
	}

	of := b.any(s.runs)
	if b.rand.IntN(2) == 0 {
		return ir.When(ir.SaysDone{Var: of}, b.body(in)...)
	}

	return ir.When(ir.KeyIs{Var: of, Key: "stop", Not: b.rand.IntN(2) == 0}, append(b.body(in), b.end(s, of))...)
}

// list returns a run that gives a list, and something that is done with each of its items.
func (b *flowBuilder) list(s *scope) []ir.Op {
	rule := &ir.ListRule{Kind: ir.ListItems + ir.ListKind(b.rand.IntN(3)), Max: 1000}
	of := b.step(b.name("listed"))
	of.Input = b.text(s)
	switch n := of.Step.Node.(type) {
	case *ir.React:
		rule.Key = "list"
		of.At = ir.Place{Kind: ir.PlaceOr, State: of.Var, Keys: []string{rule.Key}}
		n.List = rule
	case *ir.Oneshot:
		n.List = rule
	}
	s.runs = append(s.runs, of.Var)
	list := &ir.List{Kind: rule.Kind, Of: of.Var}
	item := b.name("item")
	if b.rand.IntN(2) == 0 {
		in := s.inner()
		in.texts = append(in.texts, item)
		in.unused = append(in.unused, ir.Section{Title: "item", Text: ir.TextOf{Var: item}})

		return []ir.Op{of, &ir.Loop{List: list, Item: item, Body: ir.Sequence(b.body(in)...)}}
	}

	in := s.inner()
	in.texts = append(in.texts, item)
	run := b.run(in, "")
	if len(b.o.Agents) > 0 && b.rand.IntN(2) == 0 { // an agent as it is, which needs no function around it where any key will do
		run = &ir.Run{Agent: b.agent(b.rand.IntN(len(b.o.Agents)))}
		run.At.Kind = ir.PlaceKind(b.rand.IntN(2))
		run.Input = ir.TextOf{Var: item}
	}

	return []ir.Op{of, b.group(s, &ir.Parallel{Var: b.name("results"), Limit: 8, List: list, Item: item, Branches: ir.SideBySide(run)})}
}

// end returns an end of the flow at which a run is known.
func (b *flowBuilder) end(s *scope, run string) *ir.Return {
	switch b.rand.IntN(4) {
	case 0:
		return &ir.Return{Key: ir.KeyOwn, Var: run}
	case 1:
		return &ir.Return{Key: ir.KeyExhausted, Var: run}
	case 2:
		if len(s.groups) > 0 {
			return &ir.Return{Key: ir.KeyDone, Var: b.any(s.groups), Form: []ir.Form{ir.FormDocument, ir.FormObject}[b.rand.IntN(2)]}
		}
	}

	return &ir.Return{Key: ir.KeyDone, Var: run}
}

// run returns a run of an agent or of a new step, at any place that does not decide anything.
func (b *flowBuilder) run(s *scope, name string) *ir.Run {
	r := b.step(name)
	if len(b.o.Agents) > 0 && b.rand.IntN(3) == 0 {
		b.flow.Steps = b.flow.Steps[:len(b.flow.Steps)-1]
		r = &ir.Run{Var: name, Agent: b.agent(b.rand.IntN(len(b.o.Agents)))}
	}
	r.Input = b.text(s)
	if b.rand.IntN(3) == 0 {
		r.At.Kind = ir.PlaceOuter
	}

	return r
}

// step returns a run of a new step of the flow.
func (b *flowBuilder) step(name string) *ir.Run {
	s := &ir.Step{Prompt: text("Do your part.\n")}
	if len(b.flow.Steps) > 0 {
		s.Name = text(fmt.Sprintf("part-%d", len(b.flow.Steps)))
	}
	s.Call.Role, s.Node = conversation(b.rand)
	b.flow.Steps = append(b.flow.Steps, s)

	return &ir.Run{Var: name, Step: s, Input: ir.Report{Var: notes}}
}

func (b *flowBuilder) agent(i int) *ir.AgentRef {
	a := b.o.Agents[i]

	return &ir.AgentRef{Text: a.Name, Agent: a}
}

// text returns a text of any kind.
func (b *flowBuilder) text(s *scope) ir.Expr {
	switch b.rand.IntN(6) {
	case 0:
		return ir.Input{}
	case 1:
		return ir.Report{Var: notes}
	case 2:
		return ir.TextOf{Var: b.any(s.texts)}
	case 3:
		return b.brief(s, notes)
	}

	return b.brief(s, "")
}

// brief returns some of what is known under titles.
func (b *flowBuilder) brief(s *scope, base string) ir.Expr {
	all := []ir.Section{{Title: "input", Text: ir.Input{}}}
	for _, name := range append(s.runs[:len(s.runs):len(s.runs)], s.answers...) {
		all = append(all, ir.Section{Title: "result", Text: ir.Value{Var: name}})
	}
	for _, name := range s.groups {
		all = append(all, ir.Section{Title: "all results", Text: ir.Report{Var: name}})
	}
	for _, name := range s.texts {
		all = append(all, ir.Section{Title: "text", Text: ir.TextOf{Var: name}})
	}
	b.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	return ir.Brief{Base: base, Sections: all[:1+b.rand.IntN(len(all))]}
}

func (b *flowBuilder) any(list []string) string { return list[b.rand.IntN(len(list))] }

// name returns a name that no other result has.
func (b *flowBuilder) name(kind string) string {
	b.names[kind]++

	return fmt.Sprintf("%s%d", kind, b.names[kind])
}
