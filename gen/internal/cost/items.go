package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// items is the progress of a loop over a list. Each item is first as large as the list. Once sizes
// are stable, the use of the round is counted for all items. If it is less, one item is all of the
// list, and the others are empty.
type items struct {
	phase phase
	// outer is the item of the surrounding loop, and whole an item that is all of the list.
	outer, whole extent
	// isWhole is set if a text in the item may be as long as one in the list.
	isWhole bool
	// start is the spending before the loop, and used the spending of the previous rounds.
	start, used spending
}

// phase is the kind of item in a round.
type phase uint8

const (
	// itemsGrow makes each item all of the list, while sizes may grow.
	itemsGrow phase = iota
	// wholeItem is the one item that is all of the list.
	wholeItem
	// emptyItem is the first of the empty items.
	emptyItem
	// lastRound is the last round.
	lastRound
)

// maxItems returns the maximal length of a loop's list.
func (x *workCosts) maxItems(loop *ir.Loop) Amount {
	s := x.flow.Context.FieldSchema(loop.ItemsPath().Path)
	if s == nil || s.Kind != ir.SchemaArray || s.MaxItems == nil {
		return Unbounded
	}

	return amount.Of(*s.MaxItems)
}

// Item begins with an item that is all of the list. The list is read once.
func (x *workCosts) Item(loop *ir.Loop, turn int, in *runs) (next, skipped *runs) {
	begun, over := *in, *in
	if turn == 1 {
		begun.items = x.newItems(loop, in)
	}
	begun.item, begun.given = begun.items.whole, begun.items.whole
	over.item = begun.items.outer
	if x.maxItems(loop) == 0 {
		return nil, &over
	}

	return &begun, &over
}

// newItems returns the items at the beginning of a loop.
func (x *workCosts) newItems(loop *ir.Loop, in *runs) items {
	path := loop.ItemsPath().Path
	list := reader{x, in}.fieldExtent(joinPath(path))
	item := partExtent(list)
	if s := x.flow.Context.FieldSchema(path); s != nil && s.Kind == ir.SchemaArray {
		item = item.Tighten(schemaExtent(s.Items, list.Longest))
	}

	return items{outer: in.item, whole: item, isWhole: item.Longest == list.Longest, start: in.spent}
}

// nextItem returns the state of the next round of a list; nil if it adds nothing.
func (x *workCosts) nextItem(p interp.Progress[*runs]) *runs {
	r := itemRound{
		Progress: p, items: p.Before.items, n: x.maxItems(p.Loop), used: p.After.spent.subtract(p.Before.spent),
	}
	switch r.items.phase {
	case itemsGrow:
		return r.continueGrowing()
	case wholeItem:
		if r.isConvex() {
			return r.continueEmpty()
		}
		return r.continueAs(lastRound, r.used.times(r.n-1))
	case emptyItem:
		if r.n > 2 && !r.used.isNothing() {
			next := r.continueAs(lastRound, r.items.used.then(r.used.times(r.n-2)))
			next.item, next.given = extent{}, extent{}
			return next
		}
	}

	return nil
}

// itemRound is a round of a loop over a list of at most n items, with its spending.
type itemRound struct {
	interp.Progress[*runs]
	items items
	n     Amount
	used  spending
}

// continueAs returns the state of the next round after the spending of all rounds.
func (r *itemRound) continueAs(to phase, used spending) *runs {
	next := *r.After
	next.items.phase, next.spent = to, r.items.start.then(used)

	return &next
}

// isConvex reports whether the use of an item is a convex function of its size, because nothing
// caps it. Then no distribution of the list uses more than one item that is all of it, and empty
// others.
func (r *itemRound) isConvex() bool {
	isBounded := r.n != Unbounded && r.items.whole.Longest != Unbounded

	return isBounded && r.n > 1 && r.items.isWhole && !r.used.isCapped
}

// continueGrowing continues after a round whose item was all of the list. How rounds are counted is
// not decided yet.
func (r *itemRound) continueGrowing() *runs {
	round := amount.Of(r.Round)
	isSettled, isOver := r.After.data == r.Before.data, round == r.n
	used := r.items.used.then(r.used)
	switch {
	case !isSettled && !isOver:
		next := r.continueAs(itemsGrow, spending{})
		next.items.used = used
		if r.Round > exactRounds+1 {
			next.data = next.data.unboundGrowth(r.Before.data)
		}
		return next
	case isSettled && r.used.isNothing():
		return nil
	case isSettled && r.isConvex():
		return r.continueEmpty()
	case r.isConvex():
		return r.continueAs(wholeItem, spending{})
	case isOver: // the last one again
		return r.continueAs(lastRound, r.items.used)
	}

	return r.continueAs(lastRound, used.then(r.used.times(r.n.Minus(round+1))))
}

// continueEmpty continues with an empty item after one that was all of the list.
func (r *itemRound) continueEmpty() *runs {
	next := r.continueAs(emptyItem, r.used)
	next.items.used = r.used
	next.item, next.given = extent{}, extent{}

	return next
}

// Tolerate continues after a failed item, without an output.
func (*workCosts) Tolerate(_ *ir.Loop, _, failed *runs) *runs { return failed }

// Collect returns the list of all outputs.
func (x *workCosts) Collect(loop *ir.Loop, in *runs) interp.Ends[*runs] {
	n := x.maxItems(loop)
	if n == Unbounded && in.spent.used.Calls > 0 {
		x.analysis.recordUnbounded("the number of items of "+loop.ItemsPath().Value, "maxItems of it in the schema of the context")
	}
	out := *in
	out.value = builtin.SizeOfJSON(in.value.JSON.Plus(1).Times(n).Plus(2))
	if loop.Result != nil {
		behind := out
		behind.previous = out.value
		out.value = out.value.Or(reader{x, &behind}.datumExtent(loop.Result))
	}

	return interp.Ends[*runs]{Done: &out, Failed: in}
}
