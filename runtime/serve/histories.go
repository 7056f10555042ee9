package serve

import (
	"context"
	"io"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// Bounds of the memory for journals that are read.
const (
	// mostDecoders is how many requests decode a journal, or make text of one, at the same time.
	mostDecoders = 2
	// historiesBytes is about how much memory the decoded journals may take that are kept for the next reader; the last one is kept
	// whatever it takes.
	historiesBytes = 64 << 20
	// historyTime is how long a journal is kept that is not read.
	historyTime = 5 * time.Second
	// memoryFactor is about how many bytes of memory a byte of a journal takes when it is decoded.
	memoryFactor = 4
	// Of runs whose journal has largeJournal bytes so many are shown at the same time.
	largeJournal, mostLarge = 1 << 20, 2
	// mostStreams is how many clients may read events at the same time. Each has a goroutine and at most one piece.
	mostStreams = 256
)

// histories are the decoded journals that were read last. Those who read a run share them, and ask again for each piece that they send,
// so that a client which reads slowly, or not at all, holds one piece and no journal. It is safe for concurrent use.
type histories struct {
	decoders chan struct{}
	reading  sync.Mutex

	mu    sync.Mutex
	known map[string]*history
	bytes int64
}

func newHistories() *histories {
	return &histories{decoders: make(chan struct{}, mostDecoders), known: map[string]*history{}}
}

// history is a decoded journal, which does not change any more.
type history struct {
	journal *journal.Journal
	events  []recorded

	mu   sync.Mutex
	long told
	// live writes the run for pages that follow it; nil before the first.
	live func(w io.Writer, has string) error

	stamp journal.Stamp
	bytes int64
	unuse *time.Timer
}

// recorded is an event by its number, and where its record is.
type recorded struct{ seq, record int }

// take waits for one of the places of a channel; done gives it back. Errors: the cause of ctx.
func take(ctx context.Context, places chan struct{}) (done func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// with has use look at a run's journal as it is now. Use waits for no client. Errors: those of [journal.Read], what use returns.
func (h *histories) with(ctx context.Context, store journal.Store, run string, use func(*history) error) error {
	done, err := take(ctx, h.decoders)
	if err != nil {
		return err
	}
	defer done()
	of, err := h.read(ctx, store, run)
	if err != nil {
		return err
	}

	return use(of)
}

// read returns the journal that is kept, if it has not changed.
func (h *histories) read(ctx context.Context, store journal.Store, run string) (*history, error) {
	if of, _, err := h.current(ctx, store, run); of != nil || err != nil {
		return of, err
	}
	h.reading.Lock() // of those who wait for a run one decodes it
	defer h.reading.Unlock()
	of, stamp, err := h.current(ctx, store, run) // before it is read: what is written in between is read once more
	if of != nil || err != nil {
		return of, err
	}
	h.forget(run)
	j, err := journal.Read(ctx, store, run)
	if err != nil {
		return nil, err
	}
	of = &history{journal: j, events: eventsOf(j), stamp: stamp, bytes: stamp.Size * memoryFactor}
	if j.Cut == nil {
		h.keep(run, of)
	}

	return of, nil
}

// current is the journal that is kept, if it is as the store has it, which the stamp says.
func (h *histories) current(ctx context.Context, store journal.Store, run string) (*history, journal.Stamp, error) {
	stamp, err := store.Stamp(ctx, run)
	if err != nil {
		return nil, stamp, err
	}

	return h.find(run, stamp), stamp, nil
}

// forget drops a journal that has grown: it is not kept while the longer one is decoded.
func (h *histories) forget(run string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(run, h.known[run])
}

func (h *histories) find(run string, stamp journal.Stamp) *history {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.known[run]
	if of == nil || of.stamp != stamp {
		return nil
	}
	of.unuse.Reset(historyTime)

	return of
}

// keep keeps a journal, and drops others until all are within their bound.
func (h *histories) keep(run string, of *history) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(run, h.known[run])
	for other, was := range h.known {
		if h.bytes+of.bytes <= historiesBytes {
			break
		}
		h.drop(other, was)
	}
	h.known[run] = of
	h.bytes += of.bytes
	of.unuse = time.AfterFunc(historyTime, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.drop(run, of)
	})
}

// drop forgets a journal, if it is still the one that is kept.
func (h *histories) drop(run string, of *history) {
	if of != nil && h.known[run] == of {
		of.unuse.Stop()
		delete(h.known, run)
		h.bytes -= of.bytes
	}
}

// eventsOf lists the recorded events, each number once.
func eventsOf(j *journal.Journal) []recorded {
	var events []recorded
	last := 0
	for i := range j.Records {
		r := &j.Records[i]
		if r.Type != journal.Event {
			continue
		}
		text, _ := r.Get("seq")
		if seq, _ := strconv.Atoi(text); seq > last {
			events = append(events, recorded{seq, i})
			last = seq
		}
	}

	return events
}

// from are the events from a number on.
func (h *history) from(seq int) []recorded {
	first := sort.Search(len(h.events), func(i int) bool { return h.events[i].seq >= seq })

	return h.events[first:]
}
