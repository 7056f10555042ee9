package serve

import (
	"net/http"
	"sync"
)

// mostHeld is about how much memory the journals may take whose runs are being sent, beside those that are kept for the next reader. One
// journal may take more.
const mostHeld = 256 << 20

// room bounds that memory. Those who are sent the same journal share it. The server does not wait
// for a client that reads slowly, or not at all.
type room struct {
	mu    sync.Mutex
	bytes int64
	// held is, by journal, to how many clients it is sent.
	held map[*history]int
}

var errNoRoom = newRequestError(http.StatusServiceUnavailable, "BusyError", "clients that read slowly hold as much memory as they may: ask again later")

// reserve counts a journal that is about to be sent, until it is released. Errors: errNoRoom.
func (r *room) reserve(h *history) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[h] == 0 && r.bytes > 0 && r.bytes+h.bytes > mostHeld {
		return errNoRoom
	}
	r.addClient(h)

	return nil
}

// holdAnyway is hold for a reply that cannot be asked for again.
func (r *room) holdAnyway(h *history) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addClient(h)

	return nil
}

// addClient counts a client. The caller holds the lock.
func (r *room) addClient(h *history) {
	if r.held == nil {
		r.held = map[*history]int{}
	}
	r.held[h]++
	if r.held[h] == 1 {
		r.bytes += h.bytes
	}
}

// release ends the reservation of a journal: it was sent to the client, or the client is gone.
func (r *room) release(h *history) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[h]--
	if r.held[h] == 0 {
		delete(r.held, h)
		r.bytes -= h.bytes
	}
}
