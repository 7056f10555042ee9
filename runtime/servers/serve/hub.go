package serve

import (
	"sync"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// tailEvents and tailBytes bound what a hub keeps; the rest is in the journal.
const (
	tailEvents = 1024
	tailBytes  = 1 << 20
)

// hub hands out the events of a run that is worked on. It does not wait for its readers: it keeps
// the newest events, and a reader who was too slow for them finds the recorded ones in the journal.
type hub struct {
	mu   sync.Mutex
	tail []sentEvent
	// first is the number of tail[0], where every event has a number, deltas too; bytes is the size
	// of the tail.
	first, bytes int
	// changed is closed when there is something new, begun when there is something at all.
	changed, begun chan struct{}
	// over reports whether nothing more will come.
	over bool
}

// sentEvent is an event as it is sent.
type sentEvent struct {
	// seq is 0 for an event that is not recorded.
	seq  int
	kind event.Kind
	line []byte
}

func newHub() *hub { return &hub{changed: make(chan struct{}), begun: make(chan struct{})} }

// Observe implements event.Observer.
func (h *hub) Observe(e event.Event) {
	line := sentEvent{seq: e.Seq, kind: e.Kind}
	if !eventkind.IsRecorded(string(e.Kind)) {
		e.Seq, line.seq = 0, 0
	}
	line.line = e.AppendJSON(nil)

	h.mu.Lock()
	defer h.mu.Unlock()
	if h.first+len(h.tail) == 0 {
		close(h.begun)
	}
	h.tail = append(h.tail, line)
	h.bytes += len(line.line)
	for len(h.tail) > tailEvents || h.bytes > tailBytes && len(h.tail) > 1 {
		h.bytes -= len(h.tail[0].line)
		h.tail[0] = sentEvent{}
		h.tail = h.tail[1:]
		h.first++
	}
	h.wakeReaders()
}

// close marks the end of the events.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	h.wakeReaders()
}

// wakeReaders wakes all that wait for an event.
func (h *hub) wakeReaders() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// news are what a reader gets who asks for more.
type news struct {
	events []sentEvent
	// missed reports whether events before those in the tail are asked for: they are in the
	// journal, or will be.
	missed bool
	// over reports whether nothing more will come, changed is closed when something has.
	over    bool
	changed <-chan struct{}
}

// place is where a reader is.
type place struct {
	// seq is the number of the next recorded event, at that of the next event of the hub. Deltas before live are not for the reader,
	// who was not there when they came. Of the event seq so many bytes were sent.
	seq, at, live, sent int
}

// placeAt returns the place of a reader who wants what is recorded from seq on.
func (h *hub) placeAt(seq int) place {
	h.mu.Lock()
	defer h.mu.Unlock()

	return place{seq: seq, live: h.first + len(h.tail)}
}

// next returns what there is for a reader, and moves its place.
func (h *hub) next(p *place) news {
	h.mu.Lock()
	defer h.mu.Unlock()

	n := news{over: h.over, changed: h.changed}
	for p.at = max(p.at, h.first); p.at < h.first+len(h.tail); p.at++ {
		event := h.tail[p.at-h.first]
		switch {
		case event.seq > p.seq:
			n.missed = true
			return n
		case event.seq == p.seq:
			p.seq++
		case event.seq > 0 || p.at < p.live:
			continue
		}
		n.events = append(n.events, event)
	}

	return n
}
