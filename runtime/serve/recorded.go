package serve

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// eventOf is a recorded event as observers had it when it happened.
func eventOf(run string, r *journal.Record) event.Event {
	get := func(name string) string {
		value, _ := r.Get(name)

		return value
	}
	e := event.Of(event.Kind(r.Name), get)
	e.Run, e.Address, e.Time = run, r.Address, r.Time
	e.Seq, _ = strconv.Atoi(get("seq"))

	return e
}

// line is the line of a recorded event. That of the last long event is kept, for the clients that take it piece by piece.
func (h *history) line(e recorded) told {
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
	made := told{event.Seq, event.Kind, event.AppendJSON(make([]byte, 0, size))}
	if len(made.line) > pieceBytes {
		h.long = made
	}

	return made
}
