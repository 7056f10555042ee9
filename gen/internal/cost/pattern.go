package cost

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// patternCosts is the domain that follows the sizes of texts through a pattern, and what was spent.
type patternCosts struct {
	interp.NoMachines[*patternRuns]
	*analysis
	agent *ir.Agent
	// input is the size of what the pattern is given, and at is where it runs.
	input Amount
	at    ir.Place
	// index are the indexes of variables, and tested are the numbers of the turns of each loop in
	// which a condition holds.
	index  map[*ir.Output]int
	tested map[*ir.Loop][]int
}

// patternRuns bound all runs that are at one point of a pattern. They are never changed.
type patternRuns struct {
	// vars are nil where runs failed or returned: nothing follows there.
	vars variables
	// value is the output of the task that is under way, and returned is the size of the pattern's.
	value    text
	returned Amount
	// spent is what was used since the block began.
	spent spending
	// turn is how the last turn of a loop ended by itself. apart is how turns ended whose ends were
	// not returned yet.
	turn, apart interp.Ends[*patternRuns]
	// list says how a loop over a list goes on.
	list *list
}

// pattern returns the bound of a pattern that is given a text, and the size of its value.
func (x *analysis) pattern(a *ir.Agent, f *ir.Flow, input Amount, at ir.Place) (bound, Amount) {
	costs := &patternCosts{
		analysis: x, agent: a, input: input, at: at, index: indexOf(f.Body), tested: testedTurns(f.Body),
	}
	start := &patternRuns{vars: make(variables, len(costs.index))}
	ends := interp.New(costs, interp.Config{}).Pipeline(f.Body, start)
	value := Amount(0)
	if ends.Returned != nil {
		value = ends.Returned.returned
	}

	// Nothing can follow what does not end the pattern.
	return boundOf(ends.Returned, ends.Failed, ends.Done), value
}

// boundOf returns the bound of an operation behind which runs are that end well, if there are such,
// and others. Nothing was spent before it.
func boundOf(done *patternRuns, others ...*patternRuns) bound {
	b, all := bound{}, spending{}
	if done != nil {
		b.done, b.ends, all = done.spent.used, true, done.spent
	}
	for _, other := range others {
		if other != nil {
			all = all.or(other.spent)
		}
	}
	b.most, b.traits = all.used, all.traits

	return b
}

// valueIn is the size of the output of a task; 0 if it never ends well.
func valueIn(done *patternRuns) Amount {
	if done == nil {
		return 0
	}

	return done.value.value
}

// base returns runs of which is known where they are, not how.
func (in *patternRuns) base() *patternRuns {
	return &patternRuns{vars: in.vars, value: in.value, returned: in.returned, spent: in.spent}
}

// None returns the state that no run is in.
func (*patternCosts) None() *patternRuns { return nil }

// IsNone reports whether no run is in a state.
func (*patternCosts) IsNone(in *patternRuns) bool { return in == nil }

// Join returns the larger sizes of two states, and the larger spending.
func (*patternCosts) Join(a, b *patternRuns) *patternRuns {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}

	return &patternRuns{
		vars: a.vars.or(b.vars), value: a.value.or(b.value),
		returned: max(a.returned, b.returned), spent: a.spent.or(b.spent),
	}
}

// joinEnds returns the ends of the runs of both.
func (x *patternCosts) joinEnds(a, b interp.Ends[*patternRuns]) interp.Ends[*patternRuns] {
	return interp.Ends[*patternRuns]{
		Done:     x.Join(a.Done, b.Done),
		Failed:   x.Join(a.Failed, b.Failed),
		Returned: x.Join(a.Returned, b.Returned),
	}
}

// Fresh returns the runs if they are not those that have been seen.
func (x *patternCosts) Fresh(seen, in *patternRuns) (fresh, all *patternRuns) {
	if seen == in {
		return nil, seen
	}

	return in, x.Join(seen, in)
}

// Give forgets the output of the task before, unless that has a name.
func (*patternCosts) Give(_ *ir.Task, in *patternRuns) *patternRuns {
	return &patternRuns{vars: in.vars, spent: in.spent}
}

// Retry returns the runs that failed. No task of a pattern is tried again.
func (*patternCosts) Retry(_ *ir.Task, _, failed *patternRuns) *patternRuns { return failed }

// Keep gives the output of a task its name.
func (x *patternCosts) Keep(t *ir.Task, in *patternRuns) interp.Ends[*patternRuns] {
	if t.Output == nil {
		return interp.Ends[*patternRuns]{Done: in}
	}
	out := in.base()
	out.vars = x.with(in.vars, t.Output, in.value)

	return interp.Ends[*patternRuns]{Done: out}
}

// Do does what a task does that has no steps inside.
func (x *patternCosts) Do(t *ir.Task, in *patternRuns) interp.Ends[*patternRuns] {
	switch do := t.Do.(type) {
	case *ir.Run:
		return x.run(do, x.size(t.InputExpression(), in.vars), in)
	case *ir.PassOn:
		return in.uses(nothing, x.text(t.InputExpression(), in.vars))
	case *ir.Ask:
		return in.uses(nothing, plain(x.options.Input))
	case *ir.Return:
		if do.Key == ir.KeyUnfinished && !slices.Contains(x.at.Keys, ir.ExhaustedKey) {
			return interp.Ends[*patternRuns]{Failed: &patternRuns{spent: in.spent}}
		}
		value := x.returned(t.InputExpression(), in.vars)
		return interp.Ends[*patternRuns]{Returned: &patternRuns{returned: value, spent: in.spent}}
	case *ir.Branch, *ir.Loop, *ir.Parallel: // they have steps inside
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine: // no pattern has one
	}

	panic(fmt.Sprintf("a pattern does a %T", t.Do))
}

// uses returns the ends of an operation with an output and a bound.
func (in *patternRuns) uses(b bound, value text) interp.Ends[*patternRuns] {
	done, failed := spendingOf(b)
	ends := interp.Ends[*patternRuns]{Failed: &patternRuns{spent: in.spent.then(failed)}}
	if b.ends {
		ends.Done = &patternRuns{vars: in.vars, value: value, spent: in.spent.then(done)}
	}

	return ends
}

// run runs a conversation or an agent.
func (x *patternCosts) run(do *ir.Run, input Amount, in *patternRuns) interp.Ends[*patternRuns] {
	at := do.At.Within(x.at)
	if do.Step == nil {
		b, value := x.analysis.agent(do.Agent.Agent, input, at)
		return in.uses(b, plain(value))
	}
	b, value := x.conversation(talk{
		label: do.Step.Label(x.agent.Name.Value), step: do.Step,
		system: size(do.Step.Prompt.Value), input: input, keys: keysOf(at),
	})
	result := plain(value)
	if rule := do.Step.List(); rule != nil {
		result.items = max(amount.Of(rule.Max), 1) // a text that is no list is a plan of one step
	}
	if _, isOneshot := do.Step.Node.(*ir.Oneshot); isOneshot {
		result.key = ir.DoneKey
	}

	return in.uses(b, result)
}

// Enter begins a block, in which nothing is spent before. The number of a turn is only known if
// something asks for it, so that other turns are the same.
func (x *patternCosts) Enter(b interp.Block, in *patternRuns) []interp.Entry[*patternRuns] {
	vars := in.vars
	if loop, isLoop := b.Task.Do.(*ir.Loop); isLoop {
		if slices.Contains(x.tested[loop], b.Turn) {
			vars = x.with(vars, loop.Turn, plain(amount.Of(b.Turn)))
		}
		if b.Kind == interp.Item {
			vars = x.with(vars, loop.Item, in.list.item())
		}
	}

	return []interp.Entry[*patternRuns]{{Start: &patternRuns{vars: vars}, Key: vars.encode()}}
}

// testedTurns returns the numbers of the turns of each loop in which a condition holds.
func testedTurns(body *ir.Pipeline) map[*ir.Loop][]int {
	tested := map[*ir.Loop][]int{}
	for _, loop := range ir.OpsOf[*ir.Loop](body.Ops()) {
		for _, branch := range ir.OpsOf[*ir.Branch](loop.Body.Ops()) {
			test, isTest := ir.TurnTestOf(branch.Condition())
			if isTest && test.Turn == loop.Turn {
				tested[loop] = append(tested[loop], test.N)
			}
		}
	}

	return tested
}

// Leave adds what was before a block. What agents side by side use is added up when all of them
// have ended.
func (x *patternCosts) Leave(
	b interp.Block, in *patternRuns, _ interp.Entry[*patternRuns], inner interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	loop, isLoop := b.Task.Do.(*ir.Loop)
	switch {
	case b.Kind == interp.Branch:
		return inner
	case !isLoop:
		return in.behind(inner)
	case loop.Reduce != ir.ReduceResults:
		return x.leaveTurn(loop, in, inner)
	case loop.IsForEach():
		return interp.Ends[*patternRuns]{Done: in.ran(inner)}
	}

	return x.variants(loop, in, inner)
}

// behind returns the ends of a block behind what was before it.
func (in *patternRuns) behind(inner interp.Ends[*patternRuns]) interp.Ends[*patternRuns] {
	return mapEnds(inner, func(behind *patternRuns) *patternRuns {
		out := behind.base()
		out.spent = in.spent.then(behind.spent)
		return out
	})
}

// leaveTurn returns how a turn of a loop ends, and those that were counted before it. Its number
// and its item are not known behind it.
func (x *patternCosts) leaveTurn(
	loop *ir.Loop, in *patternRuns, inner interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	ends := in.behind(inner)
	if ends.Done != nil {
		out := *ends.Done
		out.vars = x.with(x.with(out.vars, loop.Turn, text{}), loop.Item, text{})
		out.turn = inner
		ends.Done = &out
	}
	all := x.joinEnds(in.apart, ends)
	if loop.IsForEach() {
		return interp.Ends[*patternRuns]{Done: in.keepApart(all, ends.Done, inner)}
	}

	return all
}

// Decide is not called: no pattern has a function that decides.
func (*patternCosts) Decide(t *ir.Task, _ *patternRuns) interp.Ends[*patternRuns] {
	panic(fmt.Sprintf("a function decides in a %T of a pattern", t.Do))
}

// Choose lets all runs take each case, unless the number of a turn decides, or a key that is known.
func (x *patternCosts) Choose(c interp.Choice, in *patternRuns) interp.Chosen[*patternRuns] {
	all, none := []*patternRuns{in}, []*patternRuns{nil}
	if c.Loop != nil { // which ends with its last turn, or by a return
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
		return x.of(test.Turn, vars).value == amount.Of(test.N), true
	}
	test, isKey := ir.KeyTestOf(condition)
	key := x.of(test.Of, vars).key

	return (key == test.Key) != test.Not, isKey && key != ""
}

// Tolerate returns none: that a run fails beside others is counted where they are added up.
func (*patternCosts) Tolerate(*ir.Loop, *patternRuns) *patternRuns { return nil }

// Advance goes on as long as texts grow. Turns that are the same are counted, up to one in which a
// condition holds, or the last one.
func (x *patternCosts) Advance(p interp.Progress[*patternRuns]) interp.Step[*patternRuns] {
	switch {
	case p.Loop.IsForEach():
		return interp.Step[*patternRuns]{Next: p.After, GoesOn: true}
	case p.Loop.Reduce == ir.ReduceResults: // all turns were counted
		return interp.Step[*patternRuns]{}
	}
	next, tested := p.After, x.tested[p.Loop]
	if p.Round > exactRounds {
		next = next.grown(p.Before.vars)
	}
	isTested := slices.Contains(tested, p.Round)
	if isTested || !slices.Equal(p.Before.vars, next.vars) {
		return interp.Step[*patternRuns]{Next: next, GoesOn: true}
	}
	to := p.Round + p.Left
	for _, number := range tested {
		if number > p.Round {
			to = min(to, number)
		}
	}
	skipped := to - p.Round - 1
	n := amount.Of(skipped)
	if to >= interp.Endless {
		x.unboundedLoop()
		n = Unbounded
	}

	return interp.Step[*patternRuns]{Next: x.skip(next, n), Skipped: skipped, GoesOn: true}
}

// unboundedLoop notes a loop whose turns nothing bounds.
func (x *patternCosts) unboundedLoop() {
	x.analysis.unbounded("the number of rounds of a loop of "+x.agent.Name.Value, "max_iter")
}

// grown makes each text unbounded that is not what it was before.
func (in *patternRuns) grown(before variables) *patternRuns {
	out := *in
	out.vars = in.vars.grown(before)

	return &out
}

// skip returns the runs behind n more turns that are like the last one. How those end that do not
// go on is kept apart.
func (x *patternCosts) skip(in *patternRuns, n Amount) *patternRuns {
	if n == 0 {
		return in
	}
	turn := in.turn.Done.spent
	before, out := *in, *in
	before.spent = in.spent.then(turn.times(n.Minus(1)).counted(n.Minus(1), "rounds"))
	ends := before.behind(in.turn)
	ends.Done = nil
	out.apart = x.joinEnds(in.apart, ends)
	out.spent = in.spent.then(turn.times(n).counted(n, "rounds"))

	return &out
}

// Fork looks at all runs at once.
func (*patternCosts) Fork(_ *ir.Task, in *patternRuns) []*patternRuns { return []*patternRuns{in} }

// Share returns what was there before: agents side by side find nothing of each other.
func (*patternCosts) Share(
	_ *ir.Task, start *patternRuns, _ []interp.Ends[*patternRuns],
) *patternRuns {
	return start
}
