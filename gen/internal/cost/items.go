package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// items says how a loop over a list goes on. Each item is at first as large as the list. When the
// sizes grow no more, what it uses is counted for all items; or, where that is less, one item is all
// of the list, and the others are empty.
type items struct {
	phase phase
	// outer is the item of the loop around this one, and whole that of a list which is all in one.
	outer, whole extent
	// isWhole says that a text in the item may be as long as one in the list.
	isWhole bool
	// start is what was used before the loop, and used what was used in the rounds before.
	start, used spending
}

// phase says what the item of a round is.
type phase uint8

const (
	// growing: each item is all of the list, and sizes may grow.
	growing phase = iota
	// alone: the one item that is all of the list.
	alone
	// empty: the first one of the others.
	empty
	// last: it is the last round.
	last
)

// mostItems returns how many items the list of a loop has at most.
func (x *workCosts) mostItems(loop *ir.Loop) Amount {
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
		begun.items = x.itemsOf(loop, in)
	}
	begun.item, begun.given = begun.items.whole, begun.items.whole
	over.item = begun.items.outer
	if x.mostItems(loop) == 0 {
		return nil, &over
	}

	return &begun, &over
}

// itemsOf returns the items with which a loop begins.
func (x *workCosts) itemsOf(loop *ir.Loop, in *runs) items {
	path := loop.ItemsPath().Path
	list := reader{x, in}.field(nameOf(path))
	item := extent{list.json, list.json, list.written}
	if s := x.flow.Context.FieldSchema(path); s != nil && s.Kind == ir.SchemaArray {
		item = item.and(fitting(s.Items, list.written))
	}

	return items{outer: in.item, whole: item, isWhole: item.written == list.written, start: in.spent}
}

// nextItem returns the state in which the next item of a list is looked at; nil where none adds
// anything.
func (x *workCosts) nextItem(p interp.Progress[*runs]) *runs {
	r := itemRound{
		Progress: p, items: p.Before.items, n: x.mostItems(p.Loop), used: p.After.spent.since(p.Before.spent),
	}
	switch r.items.phase {
	case growing:
		return r.nextGrown()
	case alone:
		if r.isConvex() {
			return r.nextEmpty()
		}
		return r.goOn(last, r.used.times(r.n-1))
	case empty:
		if r.n > 2 && !r.used.isNothing() {
			next := r.goOn(last, r.items.used.then(r.used.times(r.n-2)))
			next.item, next.given = extent{}, extent{}
			return next
		}
	}

	return nil
}

// itemRound is a round of a loop over a list of at most n items, and what was used in it.
type itemRound struct {
	interp.Progress[*runs]
	items items
	n     Amount
	used  spending
}

// goOn returns the state of the next round, before which the rounds have used so much.
func (r *itemRound) goOn(to phase, used spending) *runs {
	next := *r.After
	next.items.phase, next.spent = to, r.items.start.then(used)

	return &next
}

// isConvex reports whether what an item uses is a convex function of its size: nothing caps it. Then no
// distribution of the list uses more than one item that is all of it, and others that are empty.
func (r *itemRound) isConvex() bool {
	isBounded := r.n != Unbounded && r.items.whole.written != Unbounded

	return isBounded && r.n > 1 && r.items.isWhole && !r.used.capped
}

// nextGrown goes on behind a round whose item was all of the list. It is not known yet how such rounds
// are counted.
func (r *itemRound) nextGrown() *runs {
	round := amount.Of(r.Round)
	isSettled, isOver := r.After.data == r.Before.data, round == r.n
	used := r.items.used.then(r.used)
	switch {
	case !isSettled && !isOver:
		next := r.goOn(growing, spending{})
		next.items.used = used
		if r.Round > exactRounds+1 {
			next.data = next.data.grown(r.Before.data)
		}
		return next
	case isSettled && r.used.isNothing():
		return nil
	case isSettled && r.isConvex():
		return r.nextEmpty()
	case r.isConvex():
		return r.goOn(alone, spending{})
	case isOver: // the last one once more
		return r.goOn(last, r.items.used)
	}

	return r.goOn(last, used.then(r.used.times(r.n.Minus(round+1))))
}

// nextEmpty continues with an empty item behind one that was all of the list.
func (r *itemRound) nextEmpty() *runs {
	next := r.goOn(empty, r.used)
	next.items.used = r.used
	next.item, next.given = extent{}, extent{}

	return next
}

// Tolerate goes on behind an item that failed, and has no output.
func (*workCosts) Tolerate(_ *ir.Loop, failed *runs) *runs { return failed }

// Collect makes the list of all outputs that of the loop.
func (x *workCosts) Collect(loop *ir.Loop, in *runs) interp.Ends[*runs] {
	n := x.mostItems(loop)
	if n == Unbounded && in.spent.used.Calls > 0 {
		x.analysis.unbounded("the number of items of "+loop.ItemsPath().Value, "maxItems of it in the schema of the context")
	}
	out := *in
	out.value = asJSON(in.value.json.Plus(1).Times(n).Plus(2))
	if loop.Result != nil {
		behind := out
		behind.previous = out.value
		out.value = out.value.or(reader{x, &behind}.datum(loop.Result))
	}

	return interp.Ends[*runs]{Done: &out, Failed: in}
}
