package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// list is the progress of a loop over a list. The items of a list have a total size: if nothing
// caps their use, no distribution uses more than one item that is all of the list, in the costliest
// turn, and empty others. So there are passes over the turns. In the first pass each item is all of
// the list. If something caps its use, that is the bound. Otherwise there is a pass for each turn,
// in which only the item of that turn is all of the list.
type list struct {
	// begun are the runs before the loop.
	begun *patternRuns
	// whole is an item that is all of the list, and n the maximal number of items.
	whole textSizes
	n     Amount
	// wholeTurn is the turn whose item is all of the list; 0 for each. turn is the number of the
	// current turn, and before are the variables before it.
	wholeTurn, turn Amount
	before          variables
	// stableTurn is the first turn of the pass that changed nothing.
	stableTurn Amount
	// one has the ends of the passes with one item that is all of the list.
	one interp.Ends[*patternRuns]
	// least and most are the use of a parallel run with an empty item, and with one that is all of
	// the list. value is the output of the latter.
	least, most bound
	value       Amount
}

// item returns the item of the current turn.
func (l *list) item() textSizes {
	if l.wholeTurn == 0 || l.wholeTurn == l.turn {
		return l.whole
	}

	return textSizes{}
}

// Item begins with the first item of a list, or continues its passes. The loop ends after all of
// them.
func (x *patternCosts) Item(loop *ir.Loop, turn int, in *patternRuns) (next, skipped *patternRuns) {
	switch {
	case turn == 1:
		return x.beginList(loop, in), nil
	case loop.Reduce != ir.ReduceResults:
		return x.nextItem(in)
	case in.list.turn == in.list.wholeTurn:
		return nil, in
	}
	l := *in.list
	l.turn++

	return l.storeIn(in), nil
}

// beginList returns the runs of the first turn of a loop over a list. Parallel runs are analyzed
// twice: with an empty item, and with one that is all of the list.
func (x *patternCosts) beginList(loop *ir.Loop, in *patternRuns) *patternRuns {
	of := loop.Over.(*ir.ListOf).Of
	is := x.variable(of, in.vars)
	l := list{begun: in, whole: plainText(is.value), n: is.items, turn: 1, stableTurn: Unbounded}
	if l.n == 0 {
		l.n = Unbounded
	}
	if loop.Reduce == ir.ReduceResults {
		l.wholeTurn = 2
		if l.n == Unbounded {
			x.analysis.recordUnbounded("the number of items of "+of.Name.Value, "max_items")
		}
	}

	return l.beginPass()
}

// beginPass returns the runs of the first turn of a pass. There may be no item.
func (l list) beginPass() *patternRuns {
	none := &patternRuns{vars: l.begun.vars}
	out := l.storeIn(none)
	out.apart.Done = none

	return out
}

// storeIn returns runs whose list is l.
func (l list) storeIn(in *patternRuns) *patternRuns {
	out := *in
	out.list = &l

	return &out
}

// recordItem records the bound of a parallel run for an item.
func (in *patternRuns) recordItem(inner interp.Ends[*patternRuns]) *patternRuns {
	l, b := *in.list, boundOfEnds(inner.Done, inner.Failed)
	if l.turn == l.wholeTurn {
		l.most, l.value = b, valueSize(inner.Done)
	} else {
		l.least = b
	}

	return l.storeIn(in)
}

// keepApart returns the runs after a turn. The ends of all runs so far are kept apart, because only
// the last turn of a pass decides if the pass counts. If no runs continue, the turn is the last
// one.
func (in *patternRuns) keepApart(
	all interp.Ends[*patternRuns], goOn *patternRuns, turn interp.Ends[*patternRuns],
) *patternRuns {
	out := patternRuns{vars: in.vars, spent: in.spent}
	if goOn != nil {
		out = *goOn
	}
	l := *in.list
	l.before = in.vars
	out.list, out.turn, out.apart = &l, turn, all

	return &out
}

// nextItem continues after a turn of a pass. Turns that are equal to it are counted without another
// visit.
func (x *patternCosts) nextItem(in *patternRuns) (next, over *patternRuns) {
	l, out := *in.list, in
	if l.turn > exactRounds {
		out = out.unboundGrowth(l.before)
	}
	isLast := in.turn.Done == nil || l.turn == l.n
	if in.turn.Done != nil && slices.Equal(l.before, out.vars) {
		l.stableTurn = min(l.stableTurn, l.turn)
		to := min(l.n, Unbounded-1) + 1
		if l.wholeTurn > l.turn {
			to = min(to, l.wholeTurn)
		}
		if to == Unbounded {
			x.recordUnboundedLoop()
		}
		out = x.skipTurns(out, to-l.turn-1)
		l.turn, isLast = to-1, to > l.n || to == Unbounded
	}
	if isLast {
		return x.nextPass(l, out)
	}
	l.turn++

	return l.storeIn(out), nil
}

// nextPass continues after the last turn of a pass, or ends the loop.
func (x *patternCosts) nextPass(l list, in *patternRuns) (next, over *patternRuns) {
	ends := in.apart
	if in.turn.Done != nil {
		ends.Done = interp.Join(x, ends.Done, in.withoutProgress())
	}
	switch {
	case l.wholeTurn == 0 && l.isFirstPassEnough(boundOfEnds(ends.Done, ends.Failed, ends.Returned)):
		return nil, l.leaveLoop(ends)
	case l.wholeTurn > 0:
		l.one = interp.JoinEnds(x, l.one, ends)
		if l.wholeTurn >= min(l.n, l.stableTurn) {
			return nil, l.leaveLoop(l.one)
		}
	}
	l.wholeTurn, l.turn, l.stableTurn = l.wholeTurn+1, 1, Unbounded

	return l.beginPass(), nil
}

// isFirstPassEnough reports whether the first pass, in which each item is all of the list, is the
// bound.
func (l *list) isFirstPassEnough(b bound) bool {
	return b.isCapped || b.most.Input == Unbounded || l.n == 1
}

// leaveLoop returns the runs that leave a loop with some ends.
func (l list) leaveLoop(ends interp.Ends[*patternRuns]) *patternRuns {
	out := *ends.Done
	out.apart, out.list = ends, &l

	return &out
}

// Collect returns the ends of a loop over a list.
func (x *patternCosts) Collect(loop *ir.Loop, in *patternRuns) interp.Ends[*patternRuns] {
	if loop.Reduce == ir.ReduceResults {
		return x.forEach(loop, in)
	}

	return in.list.begun.afterRuns(in.apart)
}
