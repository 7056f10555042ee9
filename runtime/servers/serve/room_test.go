package serve

import "testing"

// TestRoom: several clients of one journal take its memory once, and one journal may be as large as it is.
func TestRoom(t *testing.T) {
	var r room
	large, small, other := &history{bytes: mostHeld + 1}, &history{bytes: mostHeld / 2}, &history{bytes: mostHeld}
	hold := func(h *history, want error) {
		t.Helper()
		if err := r.reserve(h); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
	hold(large, nil)
	hold(large, nil)
	hold(small, errNoRoom)
	r.release(large)
	hold(small, errNoRoom)
	r.release(large)
	hold(small, nil)
	hold(other, errNoRoom)
	if err := r.holdAnyway(other); err != nil {
		t.Error(err)
	}
	r.release(other)
	r.release(small)
	if len(r.held) != 0 || r.bytes != 0 {
		t.Errorf("%d journals with %d bytes are held", len(r.held), r.bytes)
	}
}
