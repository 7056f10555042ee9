package cost

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// patternCosts is the domain of the sizes of texts in a pattern, and of its spending.
type patternCosts struct {
	interp.NoMachines[*patternRuns]
	interp.NoRetries[*patternRuns]
	*analysis
	agent *ir.Agent
	// input is the size of the pattern's input, and at is its place.
	input Amount
	at    ir.Place
	// index are the indexes of variables. tested are the turns of each loop for which a condition
	// tests the number.
	index  map[*ir.Output]int
	tested map[*ir.Loop][]int
}

// patternRuns bound all runs at one point of a pattern. They are immutable.
type patternRuns struct {
	// vars are nil if runs failed or returned, because nothing follows.
	vars variables
	// value is the output of the current task, and returned the size of the pattern's value.
	value    textSizes
	returned Amount
	// spent is the spending since the block began.
	spent spending
	// turn has the ends of the last turn of a loop alone. apart has ends of earlier turns that were
	// not returned yet.
	turn, apart interp.Ends[*patternRuns]
	// list is the progress of a loop over a list.
	list *list
}

// boundPattern returns the bound of a pattern with an input, and the size of its value.
func (x *analysis) boundPattern(a *ir.Agent, f *ir.Flow, input Amount, at ir.Place) (bound, Amount) {
	costs := &patternCosts{
		analysis: x, agent: a, input: input, at: at, index: indexOutputs(f.Body), tested: ir.TestedTurns(f.Body),
	}
	start := &patternRuns{vars: make(variables, len(costs.index))}
	ends := interp.New(costs, interp.Config{}).RunPipeline(f.Body, start)
	value := Amount(0)
	if ends.Returned != nil {
		value = ends.Returned.returned
	}

	// Nothing follows runs that do not end the pattern.
	return boundOfEnds(ends.Returned, ends.Failed, ends.Done), value
}

// boundOfEnds returns the bound of an operation by its ends; done may be nil. Nothing was spent
// before.
func boundOfEnds(done *patternRuns, others ...*patternRuns) bound {
	b, all := bound{}, spending{}
	if done != nil {
		b.done, b.canEndWell, all = done.spent.used, true, done.spent
	}
	for _, other := range others {
		if other != nil {
			all = all.either(other.spent)
		}
	}
	b.most, b.traits = all.used, all.traits

	return b
}

// valueSize returns the size of a task's output; 0 if it never ends well.
func valueSize(done *patternRuns) Amount {
	if done == nil {
		return 0
	}

	return done.value.value
}

// withoutProgress returns the runs without the progress of a loop.
func (in *patternRuns) withoutProgress() *patternRuns {
	return &patternRuns{vars: in.vars, value: in.value, returned: in.returned, spent: in.spent}
}

// None returns the state without runs.
func (*patternCosts) None() *patternRuns { return nil }

// IsNone reports whether there are no runs.
func (*patternCosts) IsNone(in *patternRuns) bool { return in == nil }

// Union returns the larger sizes of two states, and the larger spending.
func (*patternCosts) Union(a, b *patternRuns) *patternRuns {
	if a == b {
		return a
	}

	return &patternRuns{
		vars: a.vars.union(b.vars), value: a.value.union(b.value),
		returned: max(a.returned, b.returned), spent: a.spent.either(b.spent),
	}
}

// Fresh returns the runs if they have not been seen.
func (x *patternCosts) Fresh(seen, in *patternRuns) (fresh, all *patternRuns) {
	if seen == in {
		return nil, seen
	}

	return in, interp.Join(x, seen, in)
}

// Give drops the output of the previous task, unless it has a name.
func (*patternCosts) Give(_ *ir.Task, in *patternRuns) *patternRuns {
	return &patternRuns{vars: in.vars, spent: in.spent}
}

// Keep assigns the output of a task to its name.
func (x *patternCosts) Keep(t *ir.Task, in *patternRuns) interp.Ends[*patternRuns] {
	if t.Output == nil {
		return interp.Ends[*patternRuns]{Done: in}
	}
	out := in.withoutProgress()
	out.vars = x.setVariable(in.vars, t.Output, in.value)

	return interp.Ends[*patternRuns]{Done: out}
}

// Do runs a task without inner steps.
func (x *patternCosts) Do(t *ir.Task, in *patternRuns) interp.Ends[*patternRuns] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.runStep(do, x.givenSize(t.InputExpression(), in.vars), in)
	case *ir.PassOn:
		return in.spend(nothing, x.expressionText(t.InputExpression(), in.vars))
	case *ir.Ask:
		return in.spend(nothing, plainText(x.options.Input))
	case *ir.Return:
		if do.Key == ir.KeyUnfinished && !slices.Contains(x.at.Keys, ir.ExhaustedKey) {
			return interp.Ends[*patternRuns]{Failed: &patternRuns{spent: in.spent}}
		}
		value := x.returnedSize(t.InputExpression(), in.vars)
		return interp.Ends[*patternRuns]{Returned: &patternRuns{returned: value, spent: in.spent}}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have inner steps
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // not in patterns
	}

	panic(fmt.Sprintf("a pattern does a %T", t.Do))
}

// spend returns the ends of an operation with an output and a bound.
func (in *patternRuns) spend(b bound, value textSizes) interp.Ends[*patternRuns] {
	done, failed := boundSpending(b)
	ends := interp.Ends[*patternRuns]{Failed: &patternRuns{spent: in.spent.then(failed)}}
	if b.canEndWell {
		ends.Done = &patternRuns{vars: in.vars, value: value, spent: in.spent.then(done)}
	}

	return ends
}

// runStep runs a conversation or an agent.
func (x *patternCosts) runStep(do *ir.Run, input Amount, in *patternRuns) interp.Ends[*patternRuns] {
	at := do.At.Within(x.at)
	if do.Step == nil {
		b, value := x.analysis.boundAgent(do.Agent.Agent, input, at)
		return in.spend(b, plainText(value))
	}
	b, value := x.boundConversation(conversation{
		label: do.Step.Label(x.agent.Name.Value), step: do.Step,
		system: size(do.Step.Prompt.Value), input: input, keys: keysSize(at),
	})
	result := plainText(value)
	if rule := do.Step.List(); rule != nil {
		result.items = max(amount.Of(rule.Max), 1) // a text that is not a list is a plan of one step
	}
	if _, isOneshot := do.Step.Node.(*ir.Oneshot); isOneshot {
		result.key = ir.DoneKey
	}

	return in.spend(b, result)
}

// Enter begins a block, in which nothing was spent before. The number of a turn is only set if a
// condition tests it, so that other turns are equal.
func (x *patternCosts) Enter(b interp.Block, in *patternRuns) []interp.Entry[*patternRuns] {
	vars := in.vars
	if loop, isLoop := b.Task.Do.(*ir.Loop); isLoop {
		if slices.Contains(x.tested[loop], b.Turn) {
			vars = x.setVariable(vars, loop.Turn, plainText(amount.Of(b.Turn)))
		}
		if b.Kind == interp.Item {
			vars = x.setVariable(vars, loop.Item, in.list.item())
		}
	}

	return []interp.Entry[*patternRuns]{{Start: &patternRuns{vars: vars}, Key: vars.encode()}}
}

// Leave adds the spending before a block. The spending of parallel agents is added after all of
// them have ended.
func (x *patternCosts) Leave(
	b interp.Block, in *patternRuns, _ interp.Entry[*patternRuns], inner interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	loop, isLoop := b.Task.Do.(*ir.Loop)
	switch {
	case b.Kind == interp.Branch:
		return inner
	case !isLoop:
		return in.afterRuns(inner)
	case loop.Reduce != ir.ReduceResults:
		return x.leaveTurn(loop, in, inner)
	case loop.IsForEach():
		return interp.Ends[*patternRuns]{Done: in.recordItem(inner)}
	}

	return x.runVariants(loop, in, inner)
}

// afterRuns returns the ends of a block after the runs before it.
func (in *patternRuns) afterRuns(inner interp.Ends[*patternRuns]) interp.Ends[*patternRuns] {
	return mapEnds(inner, func(behind *patternRuns) *patternRuns {
		out := behind.withoutProgress()
		out.spent = in.spent.then(behind.spent)
		return out
	})
}

// leaveTurn returns the ends of a turn, and of earlier turns. The number and the item of the turn
// are not known after it.
func (x *patternCosts) leaveTurn(
	loop *ir.Loop, in *patternRuns, inner interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	ends := in.afterRuns(inner)
	if ends.Done != nil {
		out := *ends.Done
		out.vars = x.setVariable(x.setVariable(out.vars, loop.Turn, textSizes{}), loop.Item, textSizes{})
		out.turn = inner
		ends.Done = &out
	}
	all := interp.JoinEnds(x, in.apart, ends)
	if loop.IsForEach() {
		return interp.Ends[*patternRuns]{Done: in.keepApart(all, ends.Done, inner)}
	}

	return all
}

// Decide panics, because a pattern has no deciding functions.
func (*patternCosts) Decide(t *ir.Task, _ *patternRuns) interp.Ends[*patternRuns] {
	panic(fmt.Sprintf("a function decides in a %T of a pattern", t.Do))
}

// Choose lets all runs take each case, unless the number of a turn or a known key decides.
func (x *patternCosts) Choose(c interp.Choice, in *patternRuns) interp.Chosen[*patternRuns] {
	all, none := []*patternRuns{in}, []*patternRuns{nil}
	if c.Loop != nil { // it ends with its last turn, or by a return
		return interp.Chosen[*patternRuns]{Cases: none, Other: in}
	}
	holds, isKnown := x.holds(c.Branch.Condition(), in.vars)
	switch {
	case !isKnown:
		return interp.Chosen[*patternRuns]{Cases: all, Other: in}
	case holds:
		return interp.Chosen[*patternRuns]{Cases: all}
	}

	return interp.Chosen[*patternRuns]{Cases: none, Other: in}
}

// holds reports whether a condition holds, if that is known.
func (x *patternCosts) holds(condition ir.Expression, vars variables) (holds, isKnown bool) {
	if test, isTurn := ir.TurnTestOf(condition); isTurn {
		return x.variable(test.Turn, vars).value == amount.Of(test.N), true
	}
	test, isKey := ir.KeyTestOf(condition)
	key := x.variable(test.Of, vars).key

	return (key == test.Key) != test.Not, isKey && key != ""
}

// Tolerate returns no runs, because failures of parallel runs are counted where they are merged.
func (*patternCosts) Tolerate(_ *ir.Loop, _, _ *patternRuns) *patternRuns { return nil }

// Advance continues while texts grow. Equal turns are counted, up to one that a condition tests, or
// the last one.
func (x *patternCosts) Advance(p interp.Progress[*patternRuns]) interp.Step[*patternRuns] {
	switch {
	case p.Loop.IsForEach():
		return interp.Step[*patternRuns]{Next: p.After, GoesOn: true}
	case p.Loop.Reduce == ir.ReduceResults: // all turns were counted
		return interp.Step[*patternRuns]{}
	}
	next, tested := p.After, x.tested[p.Loop]
	if p.Round > exactRounds {
		next = next.unboundGrowth(p.Before.vars)
	}
	isTested := slices.Contains(tested, p.Round)
	if isTested || !slices.Equal(p.Before.vars, next.vars) {
		return interp.Step[*patternRuns]{Next: next, GoesOn: true}
	}
	skipped, isEndless := p.EqualRounds(tested)
	n := amount.Of(skipped)
	if isEndless {
		x.recordUnboundedLoop()
		n = Unbounded
	}

	return interp.Step[*patternRuns]{Next: x.skipTurns(next, n), Skipped: skipped, GoesOn: true}
}

// recordUnboundedLoop records a loop without a bound.
func (x *patternCosts) recordUnboundedLoop() {
	x.analysis.recordUnbounded("the number of rounds of a loop of "+x.agent.Name.Value, "max_iter")
}

// unboundGrowth makes each text unbounded that has changed.
func (in *patternRuns) unboundGrowth(before variables) *patternRuns {
	out := *in
	out.vars = in.vars.unboundGrowth(before)

	return &out
}

// skipTurns returns the runs after n more turns like the last one. The other ends of these turns
// are kept apart.
func (x *patternCosts) skipTurns(in *patternRuns, n Amount) *patternRuns {
	if n == 0 {
		return in
	}
	turn := in.turn.Done.spent
	before, out := *in, *in
	before.spent = in.spent.then(turn.times(n.Minus(1)).withCount(n.Minus(1), "rounds"))
	ends := before.afterRuns(in.turn)
	ends.Done = nil
	out.apart = interp.JoinEnds(x, in.apart, ends)
	out.spent = in.spent.then(turn.times(n).withCount(n, "rounds"))

	return &out
}

// Fork handles all runs at once.
func (*patternCosts) Fork(_ *ir.Task, in *patternRuns) []*patternRuns { return []*patternRuns{in} }

// Share returns the runs before parallel agents, which do not see each other's results.
func (*patternCosts) Share(
	_ *ir.Task, start *patternRuns, _ []interp.Ends[*patternRuns],
) *patternRuns {
	return start
}
