package core

import (
	"sort"
	"time"
)

// stopwatch measures how long at least one effect has been under way: what is done side by side counts once.
type stopwatch struct {
	running int
	since   time.Time
	sum     time.Duration
	// before is when effects were under way in processes that had the run earlier, earlier how long that was altogether.
	before  []span
	earlier time.Duration
	settled int // how many of before are in earlier
}

type span struct{ from, to time.Time }

func (w *stopwatch) start(now time.Time) {
	if w.running == 0 {
		w.since = now
	}
	w.running++
}

func (w *stopwatch) stop(now time.Time) {
	w.running--
	if w.running == 0 {
		w.sum += max(now.Sub(w.since), 0)
	}
}

// recall adds an effect of an earlier process.
func (w *stopwatch) recall(s span) { w.before = append(w.before, s) }

// worked is how long it was, at a time.
func (w *stopwatch) worked(now time.Time) time.Duration {
	if w.settled < len(w.before) {
		w.settle()
	}
	worked := w.earlier + w.sum
	if w.running > 0 {
		worked += max(now.Sub(w.since), 0)
	}

	return worked
}

// settle joins the spans that overlap, and adds up the others.
func (w *stopwatch) settle() {
	sort.Slice(w.before, func(i, j int) bool { return w.before[i].from.Before(w.before[j].from) })
	joined := w.before[:0]
	for _, s := range w.before {
		last := len(joined) - 1
		switch {
		case last < 0 || s.from.After(joined[last].to):
			joined = append(joined, s)
		case s.to.After(joined[last].to):
			joined[last].to = s.to
		}
	}
	w.before, w.settled, w.earlier = joined, len(joined), 0
	for _, s := range joined {
		w.earlier += max(s.to.Sub(s.from), 0)
	}
}
