package can

import (
	"maps"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// patternTexts is the domain that follows facts through the steps of a pattern, all of which read
// and write the same results. So a block is looked at for all facts at once.
type patternTexts struct{ texts }

// pattern follows a fact through a pattern.
func (x *analysis) pattern(r *result, a *ir.Agent, node *ir.Flow, from fact) {
	w := &patternTexts{texts{x, a}}
	ends := interp.New(w, interp.Config{}).Pipeline(node.Body, facts{from: new(trace)})
	r.finish(ends)
}

// variable is the fact that a result may hold untrusted text.
func variable(o *ir.Output) fact { return fact{slot: "variable", name: o.Name.Value, depth: 1} }

// turnOf is no text: with the name of a number, it says that a loop is in that turn.
func turnOf(o *ir.Output) fact { return fact{slot: "turn", name: o.Name.Value, depth: 1} }

// inTurn says that a loop is in the turn of a number.
func inTurn(o *ir.Output, number int) fact { return turnOf(o).member(strconv.Itoa(number)) }

// reads are the facts that make a text of a pattern untrusted.
func reads(x ir.Expression) []fact {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootInput {
			return []fact{given}
		}
		return []fact{variable(x.Output)}
	case *ir.Report:
		return reads(x.X)
	case *ir.Notes:
		ofSection := func(s ir.Section) []fact { return reads(s.Text) }
		return append(reads(x.Base), ir.FlatMap(x.Sections, ofSection)...)
	case nil:
		return nil
	}

	panic(notFollowed(x))
}

// Give forgets the output of the step before, unless that has a name.
func (*patternTexts) Give(_ *ir.Task, in facts) facts { return in.without(value) }

// Retry returns the facts with which a task failed. No task of a pattern is tried again.
func (*patternTexts) Retry(_ *ir.Task, _, failed facts) facts { return failed }

// Keep gives the output of a task, which is the fact value, its name.
func (*patternTexts) Keep(t *ir.Task, in facts) interp.Ends[facts] {
	if t.Output == nil {
		return interp.Ends[facts]{Done: in}
	}

	return interp.Ends[facts]{Done: in.without(value).write(variable(t.Output), nil, in[value])}
}

// Do follows facts through what a task does that has no steps inside.
func (w *patternTexts) Do(t *ir.Task, in facts) interp.Ends[facts] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return w.run(t, do, in)
	case *ir.PassOn:
		return interp.Ends[facts]{Done: in.gives(in.best(reads(t.InputExpression())))}
	case *ir.Ask: // the answer is trusted, and so is what the question shows from then on
		question := variable(ir.OutputOf(t.InputExpression()))
		isShown := func(name fact) bool { return name == question }
		done := w.asks(w.agent.Name.Value, do, in, isShown)
		return interp.Ends[facts]{Done: done, Failed: in.stored(failedReason)}
	case *ir.Return:
		return interp.Ends[facts]{Returned: returned(do, variable(ir.OutputOf(t.InputExpression())), in)}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have steps inside
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // no pattern has one
	}

	panic(notFollowed(t.Do))
}

// run runs a conversation or an agent.
func (w *patternTexts) run(t *ir.Task, do *ir.Run, in facts) interp.Ends[facts] {
	r, done, failed := newResult(), facts{}, facts{}
	r.outcomes(in, reads(t.InputExpression()), w.runner(w.agent, do), func(name fact, at *trace) {
		switch {
		case name == failure:
			failed.add(failure, at)
		case !name.isOf(context): // that of a workflow ends with it
			done.add(name, at)
		}
	}, done.add)
	failed.addAll(done.stored(failedReason))

	return interp.Ends[facts]{Done: done, Failed: failed, Noted: noted(r)}
}

// returnKeys are the keys with which returns finish, as far as they are known.
var returnKeys = map[ir.ReturnKey]key{
	ir.KeyDone: ir.DoneKey, ir.KeyExhausted: ir.ExhaustedKey, ir.KeyUnfinished: ir.ExhaustedKey + failMark,
}

// returned are the facts behind a return of a result, each of which is named after the key.
func returned(do *ir.Return, of fact, in facts) facts {
	k := returnKeys[do.Key]
	out := facts{}
	out.add(value.withKey(k), in[of])
	for _, name := range []fact{reached, memory, world} {
		out.add(name.withKey(k), in[name])
	}

	return out
}

// Enter begins a block with all facts.
func (w *patternTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	switch do := b.Task.Do.(type) {
	case *ir.Parallel:
		if len(do.Branches) > 1 {
			name := w.agent.Name.Value
			in = in.with(Step{Do: "choose", Agent: name, Branch: b.Index + 1, beside: true})
		}
	case *ir.Loop:
		if do.Turn != nil && b.Turn <= exactRounds {
			in = maps.Clone(in)
			in.add(inTurn(do.Turn, b.Turn), new(trace))
		}
	}

	return []interp.Entry[facts]{{Start: in}}
}

// Leave returns how a block ends. The number of a turn is not known behind it.
func (*patternTexts) Leave(
	b interp.Block, _ facts, _ interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	if do, isLoop := b.Task.Do.(*ir.Loop); isLoop && do.Turn != nil {
		inner.Done = inner.Done.without(turnOf(do.Turn))
	}

	return inner
}

// Decide is not called: no pattern has a function that decides.
func (*patternTexts) Decide(t *ir.Task, _ facts) interp.Ends[facts] { panic(notFollowed(t.Do)) }

// Choose lets all runs take each case, unless the number of a turn decides, and notes on their
// paths what a script has to say for it.
func (*patternTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	none := make([]facts, c.Cases)
	if c.Loop != nil { // which ends with its last turn, or by a return
		return interp.Chosen[facts]{Cases: none, Other: in}
	}
	condition := c.Branch.Condition()
	test, counts := ir.TurnTestOf(condition)
	switch {
	case counts && in[inTurn(test.Turn, test.N)] != nil:
		return interp.Chosen[facts]{Cases: []facts{in}}
	case counts && in.best([]fact{turnOf(test.Turn)}) != nil: // it is in another turn
		return interp.Chosen[facts]{Cases: none, Other: in}
	}
	then, other := finishes(condition)

	return interp.Chosen[facts]{Cases: []facts{in.with(then)}, Other: in.with(other)}
}

// finishes returns how the run before a condition finishes if it holds, and if it does not.
func finishes(condition ir.Expression) (then, other Step) {
	then, other = Step{Do: "finish"}, Step{Do: "finish"}
	if _, says := condition.(*ir.SaysDone); says {
		then.done = true
	}
	if test, isKey := ir.KeyTestOf(condition); isKey {
		then.Key = test.Key
		if test.Not {
			then, other = other, then
		}
	}

	return then, other
}

// Item returns the facts with which the next item of a list begins. The list is that of the first
// one, which may be missing.
func (*patternTexts) Item(loop *ir.Loop, turn int, in facts) (next, skipped facts) {
	if turn > 1 {
		return in.without(value), in
	}
	list := loop.Over.(*ir.ListOf)
	next = in.write(variable(loop.Item), nil, in.best([]fact{variable(list.Of)}))
	empty := Step{Do: "finish", none: true}
	if list.Kind != ir.ListClaims {
		empty.open = emptyReason
	}

	return next, in.with(empty)
}

// Tolerate makes the error of a turn its result.
func (*patternTexts) Tolerate(_ *ir.Loop, failed facts) facts {
	out := failed.without(failure)
	out.add(value, failed[failure])

	return out
}

// Collect ends a loop over a list.
func (*patternTexts) Collect(loop *ir.Loop, in facts) interp.Ends[facts] {
	return interp.Ends[facts]{Done: in.without(variable(loop.Item))}
}

// exactRounds is how many turns of a loop are looked at one by one. Behind them their number is not
// known.
const exactRounds = 64

// Why no script says so: a model that gives an empty list is asked again, unless it is one of claims,
// and it is not on the path how many items a list has, how many turns there were, and how the other
// branches of a group can fail.
const (
	emptyReason  = "a list is empty"
	itemsReason  = "a list has several items"
	turnsReason  = "a loop has many turns"
	othersReason = "all branches fail"
)

// Advance goes on with all facts, for as long as turns are looked at one by one.
func (w *patternTexts) Advance(p interp.Progress[facts]) interp.Step[facts] {
	switch {
	case p.Loop.Width != 1: // turns side by side find nothing of each other but what they store
		fresh, all := w.Fresh(p.Seen, p.After.stored(besideReason))
		return interp.Step[facts]{Next: fresh, Seen: all}
	case p.Loop.IsForEach():
		return w.nextItem(p)
	case p.Round < exactRounds:
		return interp.Step[facts]{Next: p.After, Seen: p.Seen, GoesOn: true}
	case p.Round == exactRounds:
		next := p.After.with(Step{Do: "finish", open: turnsReason})
		return interp.Step[facts]{Next: next, Seen: p.Seen, GoesOn: true}
	}
	if fresh, _ := w.Fresh(p.Before, p.After); len(fresh) == 0 {
		return interp.Step[facts]{Seen: p.Seen}
	}

	return interp.Step[facts]{Next: w.Join(p.Before, p.After), Seen: p.Seen}
}

// nextItem goes on until no item adds a fact any more.
func (w *patternTexts) nextItem(p interp.Progress[facts]) interp.Step[facts] {
	fresh, all := w.Fresh(p.Seen, p.After)
	if len(fresh) == 0 {
		return interp.Step[facts]{Seen: all}
	}

	return interp.Step[facts]{Next: p.After.with(Step{Do: "finish", open: itemsReason}), Seen: all}
}

// Merge brings together how branches ended. The error of one is in the result; where all fail, all
// of them are in that of the pattern.
func (w *patternTexts) Merge(_ *ir.Task, _ facts, arms []interp.Ends[facts]) interp.Ends[facts] {
	ends := interp.Ends[facts]{Done: facts{}, Failed: facts{}}
	for _, arm := range arms {
		ends.Done.addAll(arm.Done)
		ends.Done.addAll(w.Tolerate(nil, arm.Failed))
		failed := arm.Failed
		if len(arms) > 1 {
			failed = failed.with(Step{Do: "finish", open: othersReason})
		}
		ends.Failed.addAll(failed)
	}

	return ends
}
