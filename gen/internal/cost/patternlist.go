package cost

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// list says how a loop over a list goes on. The items of a list have a size together: if nothing
// caps what they use, no distribution of it uses more than one item that is all of it, in the turn
// where that uses the most, and others that are empty. So the turns are looked at in passes. In the
// first one each item is all of the list. If something caps what it uses, that is the bound;
// otherwise a pass for each turn follows, in which only the item of that turn is all of the list.
type list struct {
	// begun are the runs before the loop.
	begun *patternRuns
	// whole is an item that is all of the list, and n is how many items there are at most.
	whole text
	n     Amount
	// at is the turn whose item is all of the list; 0: each is. turn is the number of the turn that is
	// under way, and before are the variables before it.
	at, turn Amount
	before   variables
	// settled is the first turn of the pass that changed nothing.
	settled Amount
	// one is how the passes ended in which one item is all of the list.
	one interp.Ends[*patternRuns]
	// least and most are what a run uses whose item is empty, and one whose item is all of the list.
	// value is what that gives. All are those of runs side by side.
	least, most bound
	value       Amount
}

// item is that of the turn that is under way.
func (l *list) item() text {
	if l.at == 0 || l.at == l.turn {
		return l.whole
	}

	return text{}
}

// Item begins with the first item of a list, or goes on as its passes do. The loop is left
// behind all of them.
func (x *patternCosts) Item(loop *ir.Loop, turn int, in *patternRuns) (next, skipped *patternRuns) {
	switch {
	case turn == 1:
		return x.beginList(loop, in), nil
	case loop.Reduce != ir.ReduceResults:
		return x.nextItem(in)
	case in.list.turn == in.list.at:
		return nil, in
	}
	l := *in.list
	l.turn++

	return l.begin(in), nil
}

// beginList returns the runs of the first turn of a loop over a list. Runs side by side are looked
// at twice: with an empty item, and with one that is all of the list.
func (x *patternCosts) beginList(loop *ir.Loop, in *patternRuns) *patternRuns {
	of := loop.Over.(*ir.ListOf).Of
	is := x.of(of, in.vars)
	l := list{begun: in, whole: plain(is.value), n: is.items, turn: 1, settled: Unbounded}
	if l.n == 0 {
		l.n = Unbounded
	}
	if loop.Reduce == ir.ReduceResults {
		l.at = 2
		if l.n == Unbounded {
			x.analysis.unbounded("the number of items of "+of.Name.Value, "max_items")
		}
	}

	return l.beginPass()
}

// beginPass returns the runs that begin the first turn of a pass. There may be no item.
func (l list) beginPass() *patternRuns {
	none := &patternRuns{vars: l.begun.vars}
	out := l.begin(none)
	out.apart.Done = none

	return out
}

// begin returns runs that begin a turn.
func (l list) begin(in *patternRuns) *patternRuns {
	out := *in
	out.list = &l

	return &out
}

// ran returns the runs behind one for an item that is done beside others.
func (in *patternRuns) ran(inner interp.Ends[*patternRuns]) *patternRuns {
	l, b := *in.list, boundOf(inner.Done, inner.Failed)
	if l.turn == l.at {
		l.most, l.value = b, valueIn(inner.Done)
	} else {
		l.least = b
	}

	return l.begin(in)
}

// keepApart returns the runs behind a turn, of which some go on. How all runs may have ended so far
// is kept apart, because only the last turn of a pass shows if the pass counts. A turn behind which
// none goes on is the last one.
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

// nextItem goes on behind a turn of a pass. Turns that are like it are counted, not looked at.
func (x *patternCosts) nextItem(in *patternRuns) (next, over *patternRuns) {
	l, out := *in.list, in
	if l.turn > exactRounds {
		out = out.grown(l.before)
	}
	isLast := in.turn.Done == nil || l.turn == l.n
	if in.turn.Done != nil && slices.Equal(l.before, out.vars) {
		l.settled = min(l.settled, l.turn)
		to := min(l.n, Unbounded-1) + 1
		if l.at > l.turn {
			to = min(to, l.at)
		}
		if to == Unbounded {
			x.unboundedLoop()
		}
		out = x.skip(out, to-l.turn-1)
		l.turn, isLast = to-1, to > l.n || to == Unbounded
	}
	if isLast {
		return x.nextPass(l, out)
	}
	l.turn++

	return l.begin(out), nil
}

// nextPass goes on behind the last turn of a pass, or ends the loop.
func (x *patternCosts) nextPass(l list, in *patternRuns) (next, over *patternRuns) {
	ends := in.apart
	if in.turn.Done != nil {
		ends.Done = x.Join(ends.Done, in.base())
	}
	switch {
	case l.at == 0 && l.isOnly(boundOf(ends.Done, ends.Failed, ends.Returned)):
		return nil, l.leave(ends)
	case l.at > 0:
		l.one = x.joinEnds(l.one, ends)
		if l.at >= min(l.n, l.settled) {
			return nil, l.leave(l.one)
		}
	}
	l.at, l.turn, l.settled = l.at+1, 1, Unbounded

	return l.beginPass(), nil
}

// isOnly reports whether the first pass counts, in which each item is all of the list, and which
// uses so much.
func (l *list) isOnly(b bound) bool {
	return b.capped || b.most.Input == Unbounded || l.n == 1
}

// leave returns the runs that leave a loop that ends like that.
func (l list) leave(ends interp.Ends[*patternRuns]) *patternRuns {
	out := *ends.Done
	out.apart, out.list = ends, &l

	return &out
}

// Collect returns how a loop over a list ends.
func (x *patternCosts) Collect(loop *ir.Loop, in *patternRuns) interp.Ends[*patternRuns] {
	if loop.Reduce == ir.ReduceResults {
		return x.forEach(loop, in)
	}

	return in.list.begun.behind(in.apart)
}
