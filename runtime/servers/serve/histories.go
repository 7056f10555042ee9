package serve

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
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
	// mostStreams is how many clients may read events at the same time. Each has a goroutine and at most one piece.
	mostStreams = 256
)

// histories are what is kept of journals: those that were read last, decoded, and the head of each run, so that of a
// list that is requested again and again only those journals are read that have changed. Those who read a run share its journal, and ask
// again for each piece that they send, so that a client which reads slowly, or not at all, holds one piece and no journal. It is safe for
// concurrent use.
type histories struct {
	decoders chan struct{}
	reading  sync.Mutex

	mu    sync.Mutex
	known map[string]known
	// bytes are those of the decoded journals.
	bytes int64
}

// known is what is kept of a journal as long as it has that stamp.
type known struct {
	stamp   stamp
	head    *head
	history *history
	// has is what a page has that was given all of the run.
	has hasPage
}

// condition is on what the page of a run depends beside its journal.
type condition struct {
	// atWork reports whether this server works on the run, owned whether another process does.
	atWork, owned bool
}

// livePage is a run for pages that follow it, as it is in a condition; the zero livePage is none.
type livePage struct {
	condition
	*page.Live
}

// hasPage is what a page sends in a condition if it has all of a run.
type hasPage struct {
	condition
	has string
}

// stamp is what [journal.Store.Stamp] returns.
type stamp struct{ size, changed int64 }

func stampOf(ctx context.Context, store journal.Store, run string) (s stamp, err error) {
	s.size, s.changed, err = store.Stamp(ctx, run)

	return s, err
}

func newHistories() *histories {
	return &histories{decoders: make(chan struct{}, mostDecoders), known: map[string]known{}}
}

// history is a decoded journal, which does not change any more.
type history struct {
	journal *journal.Journal
	events  []recorded

	mu   sync.Mutex
	long sentEvent
	// shown is the run as it was shown last, live for pages that follow it.
	shown shownRun
	live  livePage

	bytes int64
	unuse *time.Timer
}

// recorded is an event by its number, and where its record is.
type recorded struct{ seq, record int }

// acquirePlace waits for one of the places of a channel; done releases it. Errors: the cause of
// ctx.
func acquirePlace(ctx context.Context, places chan struct{}) (done func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// withHistory calls use with a run's journal as it is now. use waits for no client. Errors: those
// of [journal.Read], what use returns.
func (h *histories) withHistory(ctx context.Context, store journal.Store, run string, use func(*history) error) error {
	done, err := acquirePlace(ctx, h.decoders)
	if err != nil {
		return err
	}
	defer done()
	of, err := h.readHistory(ctx, store, run)
	if err != nil {
		return err
	}

	return use(of)
}

// readHistory returns the cached journal, or reads it if it has changed.
func (h *histories) readHistory(ctx context.Context, store journal.Store, run string) (*history, error) {
	if kept, err := h.readCached(ctx, store, run); kept.history != nil || err != nil {
		return kept.history, err
	}
	h.reading.Lock() // of those who wait for a run one decodes it
	defer h.reading.Unlock()
	kept, err := h.readCached(ctx, store, run) // before it is read: what is written in between is read once more
	if kept.history != nil || err != nil {
		return kept.history, err
	}
	j, err := journal.Read(ctx, store, run)
	if err != nil {
		return nil, err
	}
	of := &history{journal: j, events: eventsOf(j), bytes: kept.stamp.size * memoryFactor}
	if j.Cut == nil {
		h.addHistory(run, kept.stamp, of)
	}

	return of, nil
}

// head is what a list has of a run.
type head struct {
	// run has the status that is recorded: interrupted, if no process has left it.
	run client.Run
	// processes is how many have taken the run up.
	processes int
	// interrupted reports whether nothing but a process is missing.
	interrupted bool
}

// readHead returns the head of a run, from the cache if it is there.
func (h *histories) readHead(ctx context.Context, store journal.Store, run string) (*head, error) {
	done, err := acquirePlace(ctx, h.decoders)
	if err != nil {
		return nil, err
	}
	defer done()
	kept, err := h.readCached(ctx, store, run)
	if kept.head != nil || err != nil {
		return kept.head, err
	}
	var j *journal.Journal
	if kept.history != nil {
		j = kept.history.journal
	} else if j, err = journal.Read(ctx, store, run); err != nil {
		return nil, err
	}
	made, err := headOf(j)
	if err == nil && j.Cut == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		kept = h.cachedAt(run, kept.stamp)
		kept.head = made
		h.known[run] = kept
	}

	return made, err
}

// headOf makes the head of a journal. It keeps no text of that, which is in memory as one.
func headOf(j *journal.Journal) (*head, error) {
	t := trace.Of(j.Records)
	status := statusIn(t, nil)
	listed := wire.Listed(wire.RunOf(j.Run, t, status))
	made := &head{processes: len(t.Processes), interrupted: isInterrupted(t, status)}
	text, err := json.Marshal(listed)
	if err == nil {
		err = json.Unmarshal(text, &made.run)
	}

	return made, err
}

// readCached returns what is cached of a journal whose stamp is the present one.
func (h *histories) readCached(ctx context.Context, store journal.Store, run string) (known, error) {
	now, err := stampOf(ctx, store, run)
	if err != nil {
		return known{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.cachedAt(run, now)
	if kept.history != nil {
		kept.history.unuse.Reset(historyTime)
	}

	return kept, nil
}

// cachedAt returns what is cached of a journal with that stamp. An older version is dropped, so
// that it takes no memory while the newer one is decoded.
func (h *histories) cachedAt(run string, now stamp) known {
	kept := h.known[run]
	if kept.stamp == now {
		return kept
	}
	h.dropHistory(run, kept.history)
	delete(h.known, run)

	return known{stamp: now}
}

// addHistory caches a journal, and drops others until the cache is within its bound.
func (h *histories) addHistory(run string, now stamp, of *history) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.cachedAt(run, now)
	for other, was := range h.known {
		if h.bytes+of.bytes <= historiesBytes {
			break
		}
		h.dropHistory(other, was.history)
	}
	kept.history = of
	h.known[run] = kept
	h.bytes += of.bytes
	of.unuse = time.AfterFunc(historyTime, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.dropHistory(run, of)
	})
}

// dropHistory drops a decoded journal, if it is still the one in the cache.
func (h *histories) dropHistory(run string, of *history) {
	kept := h.known[run]
	if of == nil || kept.history != of {
		return
	}
	of.unuse.Stop()
	h.bytes -= of.bytes
	kept.history = nil
	if kept.head == nil && kept.has == (hasPage{}) {
		delete(h.known, run)
		return
	}
	h.known[run] = kept
}

// noteHas notes what a page has that was given all of a journal, if that is still the one that is kept.
func (h *histories) noteHas(run string, of *history, has hasPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if kept := h.known[run]; kept.history == of {
		kept.has = has
		h.known[run] = kept
	}
}

// forgetRemoved drops the heads of runs that are not in the store any more. The runs of the store
// are sorted.
func (h *histories) forgetRemoved(there []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.known) <= len(there) {
		return
	}
	for run, kept := range h.known {
		if _, found := slices.BinarySearch(there, run); !found {
			h.dropHistory(run, kept.history)
			delete(h.known, run)
		}
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
		if seq, _ := strconv.Atoi(r.Value("seq")); seq > last {
			events = append(events, recorded{seq, i})
			last = seq
		}
	}

	return events
}

// eventsFrom returns the events from a number on.
func (h *history) eventsFrom(seq int) []recorded {
	first := sort.Search(len(h.events), func(i int) bool { return h.events[i].seq >= seq })

	return h.events[first:]
}

// eventOf is a recorded event as observers had it when it happened.
func eventOf(run string, r *journal.Record) event.Event {
	e := event.Kind(r.Name).Event(r.Value)
	e.Run, e.Address, e.Time = run, r.Address, r.Time
	e.Seq, _ = strconv.Atoi(r.Value("seq"))

	return e
}

// lineOf returns the line of a recorded event. The line of the last long event is cached, for the
// clients that take it piece by piece.
func (h *history) lineOf(e recorded) sentEvent {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.long.seq == e.seq {
		return h.long
	}
	const beside = 512 // bytes of names, numbers and times
	r := &h.journal.Records[e.record]
	size := beside
	for _, f := range r.Fields {
		size += len(f.Value)
	}
	event := eventOf(h.journal.Run, r)
	made := sentEvent{event.Seq, event.Kind, event.AppendJSON(make([]byte, 0, size))}
	if len(made.line) > pieceBytes {
		h.long = made
	}

	return made
}
