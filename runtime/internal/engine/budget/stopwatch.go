package budget

import (
	"sort"
	"time"
)

// stopwatch measures how long at least one effect has been under way: effects at the same time
// count once.
type stopwatch struct {
	running int
	since   time.Time
	sum     time.Duration
	// spans are when effects were under way in earlier processes, and earlier is how long that was
	// altogether.
	spans   []Span
	earlier time.Duration
	// settled is how many spans are part of earlier.
	settled int
}

type Span struct{ From, To time.Time }

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

// addEarlier adds an effect of an earlier process.
func (w *stopwatch) addEarlier(s Span) { w.spans = append(w.spans, s) }

// worked is the time until now.
func (w *stopwatch) worked(now time.Time) time.Duration {
	if w.settled < len(w.spans) {
		w.mergeSpans()
	}
	worked := w.earlier + w.sum
	if w.running > 0 {
		worked += max(now.Sub(w.since), 0)
	}

	return worked
}

// mergeSpans merges spans that overlap, and adds all of them up.
func (w *stopwatch) mergeSpans() {
	sort.Slice(w.spans, func(i, j int) bool { return w.spans[i].From.Before(w.spans[j].From) })
	merged := w.spans[:0]
	for _, s := range w.spans {
		last := len(merged) - 1
		switch {
		case last < 0 || s.From.After(merged[last].To):
			merged = append(merged, s)
		case s.To.After(merged[last].To):
			merged[last].To = s.To
		}
	}
	w.spans, w.settled, w.earlier = merged, len(merged), 0
	for _, s := range merged {
		w.earlier += max(s.To.Sub(s.From), 0)
	}
}
