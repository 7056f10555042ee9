package can

import (
	"maps"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// patternTexts is the domain of facts in a pattern, whose steps all read and write the same
// results. So a block is analyzed for all facts at once.
type patternTexts struct {
	texts
	interp.NoRetries[facts]
}

// analyzePattern follows a fact through a pattern.
func (x *analysis) analyzePattern(r *result, a *ir.Agent, node *ir.Flow, from fact) {
	w := &patternTexts{texts: texts{x, a}}
	ends := interp.New(w, interp.Config{}).RunPipeline(node.Body, facts{from: new(trace)})
	r.addEnds(ends)
}

// variableFact returns the fact about a result.
func variableFact(o *ir.Output) fact { return fact{slot: "variable", name: o.Name.Value, depth: 1} }

// turnFact returns the fact that a loop is in some turn. With a number as its field, it is in that
// turn.
func turnFact(o *ir.Output) fact { return fact{slot: "turn", name: o.Name.Value, depth: 1} }

// turnNumberFact returns the fact that a loop is in the turn of a number.
func turnNumberFact(o *ir.Output, number int) fact {
	return turnFact(o).fieldFact(strconv.Itoa(number))
}

// textReads returns the facts that make a text of a pattern untrusted.
func textReads(x ir.Expression) []fact {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootInput {
			return []fact{givenFact}
		}
		return []fact{variableFact(x.Output)}
	case *ir.Report:
		return textReads(x.X)
	case *ir.Notes:
		ofSection := func(s ir.Section) []fact { return textReads(s.Text) }
		return append(textReads(x.Base), ir.FlatMap(x.Sections, ofSection)...)
	case nil:
		return nil
	}

	panic(unsupportedMessage(x))
}

// Give drops the output of the previous step, unless it has a name.
func (*patternTexts) Give(_ *ir.Task, in facts) facts { return in.withoutValues(valueFact) }

// Keep assigns the output of a task, which is the valueFact, to its name.
func (*patternTexts) Keep(t *ir.Task, in facts) interp.Ends[facts] {
	if t.Output == nil {
		return interp.Ends[facts]{Done: in}
	}

	return interp.Ends[facts]{Done: in.withoutValues(valueFact).writeValue(variableFact(t.Output), nil, in[valueFact])}
}

// Do follows facts through a task without inner steps.
func (w *patternTexts) Do(t *ir.Task, in facts) interp.Ends[facts] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return w.runStep(t, do, in)
	case *ir.PassOn:
		return interp.Ends[facts]{Done: in.withOutput(in.bestPath(textReads(t.InputExpression())))}
	case *ir.Ask: // the answer is trusted, and so is what the question shows
		question := variableFact(ir.OutputOf(t.InputExpression()))
		isShown := func(name fact) bool { return name == question }
		done := w.askPerson(w.agent.Name.Value, do, in, isShown)
		return interp.Ends[facts]{Done: done, Failed: in.storedFacts(failedReason)}
	case *ir.Return:
		return interp.Ends[facts]{Returned: returnFacts(do, variableFact(ir.OutputOf(t.InputExpression())), in)}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have inner steps
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // not in patterns
	}

	panic(unsupportedMessage(t.Do))
}

// runStep runs a conversation or an agent.
func (w *patternTexts) runStep(t *ir.Task, do *ir.Run, in facts) interp.Ends[facts] {
	r, done, failed := newResult(), facts{}, facts{}
	r.followFacts(in, textReads(t.InputExpression()), w.operationRunner(w.agent, do), func(name fact, at *trace) {
		switch {
		case name == failureFact:
			failed.addFact(failureFact, at)
		case !name.isPartOf(contextFact): // the context of a workflow ends with it
			done.addFact(name, at)
		}
	}, done.addFact)
	failed.addFacts(done.storedFacts(failedReason))

	return interp.Ends[facts]{Done: done, Failed: failed, Noted: callFacts(r)}
}

// returnKeys are the keys of returns, if they are known.
var returnKeys = map[ir.ReturnKey]key{
	ir.KeyDone: ir.DoneKey, ir.KeyExhausted: ir.ExhaustedKey, ir.KeyUnfinished: ir.ExhaustedKey + failMark,
}

// returnFacts returns the facts after a return of a result, with the name of its key.
func returnFacts(do *ir.Return, of fact, in facts) facts {
	k := returnKeys[do.Key]
	out := facts{}
	out.addFact(valueFact.withKey(k), in[of])
	for _, name := range []fact{reachedFact, memoryFact, worldFact} {
		out.addFact(name.withKey(k), in[name])
	}

	return out
}

// Enter begins a block with all facts.
func (w *patternTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	switch do := b.Task.Do.(type) {
	case *ir.Parallel:
		if len(do.Branches) > 1 {
			name := w.agent.Name.Value
			in = in.withStep(Step{Do: "choose", Agent: name, Branch: b.Index + 1, isParallel: true})
		}
	case *ir.Loop:
		if do.Turn != nil && b.Turn <= exactTurns {
			in = maps.Clone(in)
			in.addFact(turnNumberFact(do.Turn, b.Turn), new(trace))
		}
	}

	return []interp.Entry[facts]{{Start: in}}
}

// Leave returns the ends of a block. The number of a turn is not known after it.
func (*patternTexts) Leave(
	b interp.Block, _ facts, _ interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	if do, isLoop := b.Task.Do.(*ir.Loop); isLoop && do.Turn != nil {
		inner.Done = inner.Done.withoutValues(turnFact(do.Turn))
	}

	return inner
}

// Decide panics, because a pattern has no deciding functions.
func (*patternTexts) Decide(t *ir.Task, _ facts) interp.Ends[facts] { panic(unsupportedMessage(t.Do)) }

// Choose lets all runs take each case, unless the number of a turn decides. Paths record what a
// script needs for it.
func (*patternTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	none := make([]facts, c.Cases)
	if c.Loop != nil { // it ends with its last turn, or by a return
		return interp.Chosen[facts]{Cases: none, Other: in}
	}
	condition := c.Branch.Condition()
	test, counts := ir.TurnTestOf(condition)
	switch {
	case counts && in[turnNumberFact(test.Turn, test.N)] != nil:
		return interp.Chosen[facts]{Cases: []facts{in}}
	case counts && in.bestPath([]fact{turnFact(test.Turn)}) != nil: // it is in another turn
		return interp.Chosen[facts]{Cases: none, Other: in}
	}
	then, other := conditionSteps(condition)

	return interp.Chosen[facts]{Cases: []facts{in.withStep(then)}, Other: in.withStep(other)}
}

// conditionSteps returns how the last run finishes if a condition holds, and if it does not.
func conditionSteps(condition ir.Expression) (then, other Step) {
	then, other = Step{Do: "finish"}, Step{Do: "finish"}
	if _, says := condition.(*ir.SaysDone); says {
		then.startsWithDone = true
	}
	if test, isKey := ir.KeyTestOf(condition); isKey {
		then.Key = test.Key
		if test.Not {
			then, other = other, then
		}
	}

	return then, other
}

// Item returns the facts at the next item of a list. The first list may be empty.
func (*patternTexts) Item(loop *ir.Loop, turn int, in facts) (next, skipped facts) {
	if turn > 1 {
		return in.withoutValues(valueFact), in
	}
	list := loop.Over.(*ir.ListOf)
	next = in.writeValue(variableFact(loop.Item), nil, in.bestPath([]fact{variableFact(list.Of)}))
	empty := Step{Do: "finish", isEmptyList: true}
	if list.Kind != ir.ListClaims {
		empty.openReason = emptyReason
	}

	return next, in.withStep(empty)
}

// Tolerate makes the error of a turn its result.
func (*patternTexts) Tolerate(_ *ir.Loop, _, failed facts) facts {
	out := failed.withoutValues(failureFact)
	out.addFact(valueFact, failed[failureFact])

	return out
}

// Collect ends a loop over a list.
func (*patternTexts) Collect(loop *ir.Loop, in facts) interp.Ends[facts] {
	return interp.Ends[facts]{Done: in.withoutValues(variableFact(loop.Item))}
}

// exactTurns is the number of turns of a loop that are analyzed separately. Their number is not
// known after them.
const exactTurns = 64

// Reasons why no script takes a path. A model with an empty list is asked again, unless it is a
// list of claims. The length of a list, the number of turns, and failures of other branches are not
// part of a path.
const (
	emptyReason  = "a list is empty"
	itemsReason  = "a list has several items"
	turnsReason  = "a loop has many turns"
	othersReason = "all branches fail"
)

// Advance continues with all facts, while turns are analyzed separately.
func (w *patternTexts) Advance(p interp.Progress[facts]) interp.Step[facts] {
	switch {
	case p.Loop.Width != 1: // parallel turns see only what the others store
		fresh, all := w.Fresh(p.Seen, p.After.storedFacts(parallelReason))
		return interp.Step[facts]{Next: fresh, Seen: all}
	case p.Loop.IsForEach():
		return w.nextItem(p)
	case p.Round < exactTurns:
		return interp.Step[facts]{Next: p.After, Seen: p.Seen, GoesOn: true}
	case p.Round == exactTurns:
		next := p.After.withStep(Step{Do: "finish", openReason: turnsReason})
		return interp.Step[facts]{Next: next, Seen: p.Seen, GoesOn: true}
	}
	if fresh, _ := w.Fresh(p.Before, p.After); len(fresh) == 0 {
		return interp.Step[facts]{Seen: p.Seen}
	}

	return interp.Step[facts]{Next: interp.Join(w, p.Before, p.After), Seen: p.Seen}
}

// nextItem continues until no item adds a fact.
func (w *patternTexts) nextItem(p interp.Progress[facts]) interp.Step[facts] {
	fresh, all := w.Fresh(p.Seen, p.After)
	if len(fresh) == 0 {
		return interp.Step[facts]{Seen: all}
	}

	return interp.Step[facts]{Next: p.After.withStep(Step{Do: "finish", openReason: itemsReason}), Seen: all}
}

// Merge merges the ends of branches. The error of one is in the result. If all fail, all errors are
// in the error of the pattern.
func (w *patternTexts) Merge(_ *ir.Task, _ facts, arms []interp.Ends[facts]) interp.Ends[facts] {
	ends := interp.Ends[facts]{Done: facts{}, Failed: facts{}}
	for _, arm := range arms {
		ends.Done.addFacts(arm.Done)
		ends.Done.addFacts(w.Tolerate(nil, nil, arm.Failed))
		failed := arm.Failed
		if len(arms) > 1 {
			failed = failed.withStep(Step{Do: "finish", openReason: othersReason})
		}
		ends.Failed.addFacts(failed)
	}

	return ends
}
