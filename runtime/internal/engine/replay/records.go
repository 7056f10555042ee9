package replay

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// DiscardFrom drops an effect and what followed it or is within it. The program reports again what
// happened since the previous effect.
func (h *History) DiscardFrom(records []journal.Record, address string) {
	h.undoAfter(address)
	for at := range h.Effects {
		if at == address || strings.HasPrefix(at, address+".") {
			delete(h.Effects, at)
		}
	}
	h.newest = nil
	before, ordinal := addr.Split(address)
	if ordinal > 1 {
		before = strings.TrimPrefix(before+"."+strconv.Itoa(ordinal-1), ".")
	}
	p := h.effectAt(before)
	since := 0
	if p.Result != nil {
		since = p.resultNumber
	}
	for i := range records[since:] {
		p.Events = slices.DeleteFunc(p.Events, func(e *journal.Record) bool { return e == &records[since+i] })
	}
}

// IsKept reports whether a record is part of the history.
func (h *History) IsKept(r *journal.Record) bool {
	p := h.Effects[r.Address]
	switch {
	case p == nil:
		return false
	case r.Type == journal.Event:
		return r.Name != string(event.Resume) && slices.Contains(p.Events, r)
	}

	return r == p.Intent || r == p.Result || r.Type == journal.Answer
}

// RecordsBefore returns the records from before an effect began, without the first one, and the
// results of the effects that were under way then.
func RecordsBefore(records []journal.Record, prior *Effect, at string) (kept []journal.Record) {
	open := map[string]bool{}
	began := false
	for i := range records[1:] {
		r := &records[i+1]
		began = began || r == prior.Intent || prior.Intent == nil && r == prior.Result
		switch {
		case !began:
			if r.Address == at && r.Type != journal.Event {
				continue // it was begun before, and begun again
			}
			kept = append(kept, *r)
			switch r.Type {
			case journal.Intent:
				open[r.Address] = r.Name != KindParallel
			case journal.Result:
				delete(open, r.Address)
			}
		case r.Type == journal.Result && open[r.Address]:
			kept = append(kept, *r)
			delete(open, r.Address)
		}
	}

	return kept
}
