package emit_test

import (
	"fmt"
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// interpretAgent runs an agent as the representation says, without any Go being emitted for it: the
// meaning of operations, word by word. It knows flows and agents that are a single conversation.
func interpretAgent(a *ir.Agent, fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	if flow, isFlow := ir.PatternOf(a.Node); isFlow {
		f := &frame{agent: a.Name.Value, fx: fx, input: input, at: at, vars: map[*ir.Output]any{}}
		fin, _, err := f.body(flow.Body)

		return fin, err
	}

	return converse(a.Conversations()[0], a.Name.Value, fx, input, at...)
}

// converse holds the conversation of a step.
func converse(s *ir.Step, of string, fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	var list *rt.ListSpec
	if rule := s.List(); rule != nil {
		list = &rt.ListSpec{Kind: listKinds[rule.Kind], Key: rule.Key, Max: rule.Max}
	}
	switch n := s.Node.(type) {
	case *ir.React:
		return (&rt.ReactSpec{
			Agent: of, Prompt: s.Prompt.Value, MaxIter: n.MaxIter, Repair: n.Repair, Stuck: n.Stuck, List: list,
		}).Run(fx, nil, input, at...)
	case *ir.Oneshot:
		return (&rt.OneshotSpec{Agent: of, Prompt: s.Prompt.Value, Repair: n.Repair, List: list}).Run(fx, input)
	}

	panic("no conversation")
}

// frame is a run of a flow.
type frame struct {
	agent string
	fx    runtime.Effects
	input string
	at    []rt.Place
	vars  map[*ir.Output]any
}

// body does tasks. over says that one of them was an end.
func (f *frame) body(p *ir.Pipeline) (fin runtime.Finish, over bool, err error) {
	for _, t := range p.Tasks {
		if fin, over, err = f.task(t); over || err != nil {
			return fin, over, err
		}
	}

	return runtime.Finish{}, false, nil
}

func (f *frame) task(t *ir.Task) (fin runtime.Finish, over bool, err error) {
	switch op := t.Do.(type) {
	case *ir.PassOn:
		if notes, isNotes := t.InputExpression().(*ir.Notes); isNotes {
			f.vars[t.Output] = f.notes(notes)
		} else {
			f.vars[t.Output] = f.text(t.InputExpression())
		}
	case *ir.Run:
		f.vars[t.Output], err = f.run(f.fx, t)
	case *ir.Ask:
		f.vars[t.Output], err = rt.Flow(f.agent).Ask(f.fx, f.finish(ir.OutputOf(t.InputExpression())))
	case *ir.Parallel:
		f.vars[t.Output], err = f.together(op)
	case *ir.Loop:
		if op.Reduce == ir.ReduceResults {
			f.vars[t.Output], err = f.group(op)
			return fin, false, err
		}
		return f.loop(op)
	case *ir.Branch:
		if f.holds(op.Condition()) {
			return f.body(op.ThenBody())
		}
	case *ir.Return:
		fin, err = f.end(op, t.InputExpression())
		return fin, true, err
	}

	return fin, false, err
}

// loop does a body again and again.
func (f *frame) loop(op *ir.Loop) (fin runtime.Finish, over bool, err error) {
	if op.Over != nil {
		return f.items(op)
	}
	for turn := 1; turn <= op.Max || op.Max == 0; turn++ {
		f.vars[op.Turn] = turn
		if fin, over, err = f.body(op.Body); over || err != nil {
			return fin, over, err
		}
	}

	return fin, false, nil
}

// with returns the frame with one more variable.
func (f *frame) with(name *ir.Output, value any) *frame {
	inner := *f
	inner.vars = maps.Clone(f.vars)
	inner.vars[name] = value

	return &inner
}

func (f *frame) run(fx runtime.Effects, t *ir.Task) (runtime.Finish, error) {
	var at []rt.Place
	r := t.Do.(*ir.Run)
	switch r.At.Kind {
	case ir.PlaceOuter:
		at = f.at
	case ir.PlaceOpen:
		at = []rt.Place{rt.Open(f.agent, r.At.State, r.At.Keys...)}
	case ir.PlaceOr:
		at = []rt.Place{rt.Closed(f.agent, r.At.State, r.At.Keys...).Or(f.at...)}
	}
	if r.Agent != nil {
		return interpretAgent(r.Agent.Agent, fx, f.text(t.InputExpression()), at...)
	}

	return converse(r.Step, r.Step.Label(f.agent), fx, f.text(t.InputExpression()), at...)
}

// items does the body of a loop for each item of its list.
func (f *frame) items(op *ir.Loop) (fin runtime.Finish, over bool, err error) {
	for _, item := range f.list(op) {
		f.vars[op.Item] = item
		if fin, over, err = f.body(op.Body); over || err != nil {
			return fin, over, err
		}
	}

	return fin, false, nil
}

func (f *frame) group(op *ir.Loop) (rt.Results, error) {
	run := op.Body.Tasks[0]
	if op.Over == nil {
		return rt.Flow(f.agent).Times(f.fx, op.Width, op.Max, op.Title,
			func(fx runtime.Effects) (runtime.Finish, error) { return f.run(fx, run) })
	}

	return rt.Flow(f.agent).ForEach(f.fx, op.Width, f.list(op),
		func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			return f.with(op.Item, item).run(fx, run)
		})
}

func (f *frame) together(op *ir.Parallel) (rt.Results, error) {
	var branches []rt.Branch
	for _, arm := range op.Branches {
		ref := arm.Body.Tasks[0].Do.(*ir.Run).Agent
		run := func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
			return interpretAgent(ref.Agent, fx, input, at...)
		}
		branches = append(branches, rt.Branch{Name: ref.Agent.Name.Value, Run: run})
	}

	return rt.Flow(f.agent).Together(f.fx, op.Width, f.text(op.Branches[0].Body.Tasks[0].InputExpression()), branches...)
}

func (f *frame) finish(of *ir.Output) runtime.Finish { return f.vars[of].(runtime.Finish) }

// listKinds are the formats of lists by their names in the runtime.
var listKinds = map[ir.ListKind]rt.ListKind{ir.ListItems: "items", ir.ListPlan: "plan", ir.ListClaims: "claims"}

func (f *frame) list(op *ir.Loop) []string {
	list := op.Over.(*ir.ListOf)

	return listKinds[list.Kind].Items(f.finish(list.Of))
}

func (f *frame) text(x ir.Expression) string {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootInput {
			return f.input
		}
		switch value := f.vars[x.Output].(type) {
		case runtime.Answer:
			return value.Value
		case runtime.Finish:
			return value.Value
		case string:
			return value
		}
	case *ir.Report:
		if notes, isNotes := x.X.(*ir.Notes); isNotes {
			return f.notes(notes).String()
		}
		return fmt.Sprint(f.vars[ir.OutputOf(x.X)])
	}

	panic("no text")
}

func (f *frame) notes(x *ir.Notes) rt.Brief {
	brief, _ := f.vars[ir.OutputOf(x.Base)].(rt.Brief)
	for _, s := range x.Sections {
		brief = brief.Add(s.Title, f.text(s.Text))
	}

	return brief
}

func (f *frame) holds(x ir.Expression) bool {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return rt.SaysDone(f.text(says.X))
	}
	if test, isKey := ir.KeyTestOf(x); isKey {
		return f.finish(test.Of).Is(test.Key) != test.Not
	}
	limit, isLimit := ir.TurnTestOf(x)
	if !isLimit {
		panic("no condition")
	}

	return f.vars[limit.Turn] == limit.N
}

func (f *frame) end(r *ir.Return, value ir.Expression) (runtime.Finish, error) {
	fin, isFinish := f.vars[ir.OutputOf(value)].(runtime.Finish)
	if !isFinish {
		fin = f.form(value)
	}
	switch r.Key {
	case ir.KeyDone:
		return rt.Flow(f.agent).Done(f.fx, fin)
	case ir.KeyOwn:
		return rt.Flow(f.agent).Pass(f.fx, fin)
	case ir.KeyExhausted:
		return rt.Flow(f.agent).Exhausted(f.fx, f.at, fin)
	case ir.KeyUnfinished:
		return rt.Flow(f.agent).Unfinished(f.fx, f.at, fin, r.Limit, f.text(r.Feedback))
	}

	panic("no end")
}

// form returns what of notes or of the results of a group is the value.
func (f *frame) form(x ir.Expression) runtime.Finish {
	_, asObject := x.(*ir.Object)
	switch value := f.vars[ir.OutputOf(x)].(type) {
	case rt.Brief:
		return value.Document()
	case rt.Results:
		if asObject {
			return value.Object()
		}
		return value.Document()
	}

	panic("no value")
}
