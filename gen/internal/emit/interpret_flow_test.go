package emit_test

import (
	"fmt"
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// interpretAgent runs an agent as the representation says, without any Go being emitted for it: the meaning of
// operations, word by word. It knows flows and agents that are a single conversation.
func interpretAgent(a *ir.Agent, fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	if flow, isFlow := a.Node.(*ir.Flow); isFlow {
		f := &frame{agent: a.Name.Value, fx: fx, input: input, at: at, vars: map[string]any{}}
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
	vars  map[string]any
}

// body does operations. over says that one of them was an end.
func (f *frame) body(ops []ir.Op) (fin runtime.Finish, over bool, err error) {
	for _, op := range ops {
		if fin, over, err = f.op(op); over || err != nil {
			return fin, over, err
		}
	}

	return runtime.Finish{}, false, nil
}

func (f *frame) op(op ir.Op) (fin runtime.Finish, over bool, err error) {
	switch op := op.(type) {
	case *ir.Set:
		if notes, isNotes := op.Value.(ir.Notes); isNotes {
			f.vars[op.Var] = f.brief(notes.Base, notes.Sections)
		} else {
			f.vars[op.Var] = f.text(op.Value)
		}
	case *ir.Run:
		f.vars[op.Var], err = f.run(f.fx, op)
	case *ir.Ask:
		f.vars[op.Var], err = rt.Flow(f.agent).Ask(f.fx, f.finish(op.Question))
	case *ir.Parallel:
		f.vars[op.Var], err = f.group(op)
	case *ir.Loop:
		if op.List != nil {
			return f.items(op)
		}
		for turn := 1; turn <= op.Times || op.Times == 0; turn++ {
			f.vars[op.Counter] = turn
			if fin, over, err = f.body(op.Body.Body); over || err != nil {
				return fin, over, err
			}
		}
	case *ir.Branch:
		if f.holds(op.Cond) {
			return f.body(op.Then())
		}
	case *ir.Return:
		fin, err = f.end(op)
		return fin, true, err
	}

	return fin, false, err
}

// with returns the frame with one more variable.
func (f *frame) with(name string, value any) *frame {
	inner := *f
	inner.vars = maps.Clone(f.vars)
	inner.vars[name] = value

	return &inner
}

func (f *frame) run(fx runtime.Effects, r *ir.Run) (runtime.Finish, error) {
	var at []rt.Place
	switch r.At.Kind {
	case ir.PlaceOuter:
		at = f.at
	case ir.PlaceOpen:
		at = []rt.Place{rt.Open(f.agent, r.At.State, r.At.Keys...)}
	case ir.PlaceOr:
		at = []rt.Place{rt.Closed(f.agent, r.At.State, r.At.Keys...).Or(f.at...)}
	}
	if r.Agent != nil {
		return interpretAgent(r.Agent.Agent, fx, f.text(r.Input), at...)
	}

	return converse(r.Step, r.Step.Label(f.agent), fx, f.text(r.Input), at...)
}

// items does the body of a loop for each item of its list.
func (f *frame) items(op *ir.Loop) (fin runtime.Finish, over bool, err error) {
	for _, item := range f.list(op.List) {
		f.vars[op.Item] = item
		if fin, over, err = f.body(op.Body.Body); over || err != nil {
			return fin, over, err
		}
	}

	return fin, false, nil
}

func (f *frame) group(op *ir.Parallel) (rt.Results, error) {
	switch {
	case op.List != nil:
		return rt.Flow(f.agent).ForEach(f.fx, op.Limit, f.list(op.List),
			func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
				return f.with(op.Item, item).run(fx, op.Runs()[0])
			})

	case op.N > 0:
		return rt.Flow(f.agent).Times(f.fx, op.Limit, op.N, op.Title,
			func(fx runtime.Effects) (runtime.Finish, error) { return f.run(fx, op.Runs()[0]) })

	}
	var branches []rt.Branch
	for _, of := range op.Runs() {
		ref := of.Agent
		run := func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
			return interpretAgent(ref.Agent, fx, input, at...)
		}
		branches = append(branches, rt.Branch{Name: ref.Agent.Name.Value, Run: run})
	}

	return rt.Flow(f.agent).Together(f.fx, op.Limit, f.text(op.Runs()[0].Input), branches...)
}

func (f *frame) finish(name string) runtime.Finish { return f.vars[name].(runtime.Finish) }

// listKinds are the formats of lists by their names in the runtime.
var listKinds = map[ir.ListKind]rt.ListKind{ir.ListItems: "items", ir.ListPlan: "plan", ir.ListClaims: "claims"}

func (f *frame) list(l *ir.List) []string { return listKinds[l.Kind].Items(f.finish(l.Of)) }

func (f *frame) text(e ir.Expr) string {
	switch e := e.(type) {
	case ir.Input:
		return f.input
	case ir.TextOf:
		return f.vars[e.Var].(string)
	case ir.Report:
		return fmt.Sprint(f.vars[e.Var])
	case ir.Brief:
		return f.brief(e.Base, e.Sections).String()
	case ir.Value:
		if answer, isAnswer := f.vars[e.Var].(runtime.Answer); isAnswer {
			return answer.Value
		}
		return f.finish(e.Var).Value
	}

	panic("no text")
}

func (f *frame) brief(base string, sections []ir.Section) rt.Brief {
	brief, _ := f.vars[base].(rt.Brief)
	for _, s := range sections {
		brief = brief.Add(s.Title, f.text(s.Text))
	}

	return brief
}

func (f *frame) holds(c ir.Cond) bool {
	switch c := c.(type) {
	case ir.KeyIs:
		return f.finish(c.Var).Is(c.Key) != c.Not
	case ir.SaysDone:
		return rt.SaysDone(f.finish(c.Var).Value)
	case ir.AtLimit:
		return f.vars[c.Counter] == c.N
	}

	panic("no condition")
}

func (f *frame) end(r *ir.Return) (runtime.Finish, error) {
	fin, isFinish := f.vars[r.Var].(runtime.Finish)
	if !isFinish {
		fin = f.form(r)
	}
	switch r.Key {
	case ir.KeyDone:
		return rt.Flow(f.agent).Done(f.fx, fin)
	case ir.KeyOwn:
		return rt.Flow(f.agent).Pass(f.fx, fin)
	case ir.KeyExhausted:
		return rt.Flow(f.agent).Exhausted(f.fx, f.at, fin)
	case ir.KeyUnfinished:
		return rt.Flow(f.agent).Unfinished(f.fx, f.at, fin, r.Limit, f.finish(r.Feedback).Value)
	}

	panic("no end")
}

// form returns what of notes or of the results of a group is the value.
func (f *frame) form(r *ir.Return) runtime.Finish {
	switch value := f.vars[r.Var].(type) {
	case rt.Brief:
		return value.Document()
	case rt.Results:
		if r.Form == ir.FormObject {
			return value.Object()
		}
		return value.Document()
	}

	panic("no value")
}
