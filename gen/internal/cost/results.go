package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// results adds up what runs give that are beside each other, of which there are n. quoted is the
// longest of their names.
type results struct {
	bound  bound
	text   text
	n      Amount
	quoted Amount
}

// add adds so many copies of a run, with a name of so many characters.
func (g *results) add(copies, name Amount, b bound, value Amount) {
	g.bound, g.quoted = g.bound.beside(b), max(g.quoted, name)
	shown := value
	if g.n > 1 { // where one alone fails, all of them do, and the pattern
		shown = max(value, b.fail)
	}
	t := &g.text
	t.report = t.report.Plus(copies.Times(amount.Sum(name.Times(6), shown, marks(shown), 60)))
	t.document = t.document.Plus(copies.Times(amount.Sum(name, shown, 20)))
	t.object = t.object.Plus(copies.Times(amount.Sum(name.Times(6), shown.Times(6), 20)))
}

// give returns how runs beside each other end: with their results, or all of them with an error.
func (x *patternCosts) give(g *results, in *patternRuns) interp.Ends[*patternRuns] {
	errors := min(g.n, mostListed).Times(amount.Sum(g.bound.fail, g.quoted, 8))
	g.bound.fail = amount.Sum(errors, 60, size(x.agent.Name.Value))
	g.text.value = g.text.report

	return in.uses(g.bound, g.text)
}

// Merge adds up what agents use side by side, and their results.
func (x *patternCosts) Merge(
	t *ir.Task, start *patternRuns, arms []interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	all := &results{n: amount.Of(len(arms))}
	for i, arm := range t.Do.(*ir.Parallel).Branches {
		all.add(1, size(arm.Name.Value), boundOf(arms[i].Done, arms[i].Failed), valueIn(arms[i].Done))
	}

	return x.give(all, start)
}

// variants returns how all turns of a loop end that are done side by side, where one ends like
// that.
func (x *patternCosts) variants(
	loop *ir.Loop, in *patternRuns, one interp.Ends[*patternRuns],
) interp.Ends[*patternRuns] {
	all := &results{n: amount.Of(loop.Max)}
	b := boundOf(one.Done, one.Failed).copies(all.n, "variants")
	b.width = b.width.Times(widthOf(loop, all.n))
	all.add(all.n, size(loop.Title)+8, b, valueIn(one.Done))

	return x.give(all, in)
}

// widthOf returns how many of n turns of a loop are done at a time.
func widthOf(loop *ir.Loop, n Amount) Amount { return min(n, amount.Of(max(loop.Width, 1))) }

// forEach returns how the runs end that are done side by side for each item of a list. What a run
// uses is a convex function of the size of its item, unless something caps it: then no distribution
// uses more than one item that is all of the list, and others that are empty.
func (x *patternCosts) forEach(loop *ir.Loop, in *patternRuns) interp.Ends[*patternRuns] {
	l := in.list
	b := l.most.copies(l.n, "items")
	isBounded := l.whole.value != Unbounded && l.n != Unbounded
	if isBounded && !l.most.capped {
		main := b.main
		b = l.most
		if l.n > 1 {
			b = l.most.beside(l.least.copies(l.n-1, "items"))
		}
		b.main, b.width = term{main.text, main.spend.atMost(b.most)}, l.most.width
	}
	b.width = b.width.Times(widthOf(loop, l.n))

	all := &results{n: l.n}
	all.add(l.n, 0, b.or(nothing), l.value) // there may be no item, so that nothing fails
	all.quoted = mostQuoted
	names := l.whole.value // items are the names of their results
	all.text.report = all.text.report.Plus(names.Times(6))
	all.text.object = all.text.object.Plus(names.Times(6))
	all.text.document = all.text.document.Plus(names)

	return x.give(all, l.begun)
}
