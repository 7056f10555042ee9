package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// results collects the results of n parallel runs. quoted is the longest of their names.
type results struct {
	bound  bound
	text   textSizes
	n      Amount
	quoted Amount
}

// addRuns adds copies of a run with a name of some size.
func (g *results) addRuns(copies, name Amount, b bound, value Amount) {
	g.bound, g.quoted = g.bound.inParallel(b), max(g.quoted, name)
	shown := value
	if g.n > 1 { // if there is only one and it fails, the pattern fails
		shown = max(value, b.fail)
	}
	t := &g.text
	t.report = t.report.Plus(copies.Times(amount.Sum(name.Times(6), shown, escapedTagsSize(shown), 60)))
	t.document = t.document.Plus(copies.Times(amount.Sum(name, shown, 20)))
	t.object = t.object.Plus(copies.Times(amount.Sum(name.Times(6), shown.Times(6), 20)))
}

// endTogether returns the ends of parallel runs: with their results, or all of them with an error.
func (x *patternCosts) endTogether(g *results, in *patternRuns) interp.Ends[*patternRuns] {
	errors := min(g.n, maxListed).Times(amount.Sum(g.bound.fail, g.quoted, 8))
	g.bound.fail = amount.Sum(errors, 60, size(x.agent.Name.Value))
	g.text.value = g.text.report

	return in.spend(g.bound, g.text)
}

// Merge adds the spending of parallel agents, and their results.
func (x *patternCosts) Merge(
	t *ir.Task, start *patternRuns, arms []interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	all := &results{n: amount.Of(len(arms))}
	for i, arm := range t.Do.(*ir.Parallel).Branches {
		all.addRuns(1, size(arm.Name.Value), boundOfEnds(arms[i].Done, arms[i].Failed), valueSize(arms[i].Done))
	}

	return x.endTogether(all, start)
}

// runVariants returns the ends of all parallel turns of a loop, given the ends of one.
func (x *patternCosts) runVariants(
	loop *ir.Loop, in *patternRuns, one interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	all := &results{n: amount.Of(loop.Max)}
	b := boundOfEnds(one.Done, one.Failed).parallelCopies(all.n, "variants")
	b.width = b.width.Times(turnWidth(loop, all.n))
	all.addRuns(all.n, size(loop.Title)+8, b, valueSize(one.Done))

	return x.endTogether(all, in)
}

// turnWidth returns how many of n turns run at a time.
func turnWidth(loop *ir.Loop, n Amount) Amount { return min(n, amount.Of(max(loop.Width, 1))) }

// forEach returns the ends of the parallel runs for each item of a list. The use of a run is a
// convex function of the size of its item, unless something caps it. Then no distribution uses more
// than one item that is all of the list, and empty others.
func (x *patternCosts) forEach(loop *ir.Loop, in *patternRuns) interp.Ends[*patternRuns] {
	l := in.list
	b := l.most.parallelCopies(l.n, "items")
	isBounded := l.whole.value != Unbounded && l.n != Unbounded
	if isBounded && !l.most.isCapped {
		main := b.main
		b = l.most
		if l.n > 1 {
			b = l.most.inParallel(l.least.parallelCopies(l.n-1, "items"))
		}
		b.main, b.width = term{main.text, main.spend.capAt(b.most)}, l.most.width
	}
	b.width = b.width.Times(turnWidth(loop, l.n))

	all := &results{n: l.n}
	all.addRuns(l.n, 0, b.either(nothing), l.value) // without items nothing fails
	all.quoted = maxQuoted
	names := l.whole.value // items are the names of their results
	all.text.report = all.text.report.Plus(names.Times(6))
	all.text.object = all.text.object.Plus(names.Times(6))
	all.text.document = all.text.document.Plus(names)

	return x.endTogether(all, l.begun)
}
