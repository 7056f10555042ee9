package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/event"
)

func tell(h *hub, seq int, kind event.Kind) {
	h.Observe(event.Event{Kind: kind, Run: "r", Seq: seq, Text: "x"})
}

// shown are the events as their numbers, deltas as ~.
func shown(n news) string {
	var all []string
	for _, e := range n.events {
		if e.seq == 0 {
			all = append(all, "~")
			continue
		}
		all = append(all, fmt.Sprint(e.seq))
	}
	if n.missed {
		all = append(all, "missed")
	}

	return strings.Join(all, " ")
}

func TestReaders(t *testing.T) {
	h := newHub()
	tell(h, 5, event.Resume) // the first that this process tells: 1 to 4 are recorded
	tell(h, 6, event.Model)
	tell(h, 99, event.Delta) // whatever its number, it has none

	early, late, after := h.placeAt(1), h.placeAt(6), h.placeAt(9)
	for _, step := range []struct {
		at   *place
		want string
	}{{&early, "missed"}, {&early, "missed"}, {&late, "6"}, {&late, ""}, {&after, ""}} {
		if got := shown(h.next(step.at)); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}

	early.seq = 5 // it has read the journal
	tell(h, 0, event.Delta)
	tell(h, 7, event.Model)
	tell(h, 8, event.Step)
	tell(h, 9, event.Step)
	if got := shown(h.next(&early)); got != "5 6 ~ 7 8 9" { // the first delta came before it was there
		t.Errorf("early: %q", got)
	}
	if got := shown(h.next(&late)); got != "~ 7 8 9" {
		t.Errorf("late: %q", got)
	}
	if got := shown(h.next(&after)); got != "~ 9" {
		t.Errorf("after: %q", got)
	}
}

// A reader that is too slow finds that it has missed something, and one that is not gets all; the hub stays small.
func TestSlowReaders(t *testing.T) {
	h := newHub()
	slow, fast := h.placeAt(1), h.placeAt(1)
	var got int
	for seq := 1; seq <= 5*tailEvents; seq++ {
		tell(h, seq, event.Step)
		n := h.next(&fast)
		got += len(n.events)
		if n.missed {
			t.Fatalf("the fast reader has missed something at %d", seq)
		}
	}
	if got != 5*tailEvents {
		t.Errorf("the fast reader has got %d events", got)
	}
	if n := h.next(&slow); !n.missed || len(n.events) > 0 || slow.seq != 1 {
		t.Errorf("the slow reader got %d events, missed %v", len(n.events), n.missed)
	}
	if len(h.tail) > tailEvents {
		t.Errorf("the tail has %d events", len(h.tail))
	}
	h.Observe(event.Event{Kind: event.Step, Seq: 5*tailEvents + 1, Value: strings.Repeat("v", 2*tailBytes)})
	if len(h.tail) != 1 {
		t.Errorf("with a large event the tail has %d", len(h.tail))
	}
}

// Whoever waits is woken by an event, and by the end.
func TestWaking(t *testing.T) {
	h := newHub()
	at := h.placeAt(1)
	n := h.next(&at)
	tell(h, 1, event.Run)
	<-n.changed
	<-h.begun
	if n = h.next(&at); shown(n) != "1" || n.over {
		t.Errorf("got %q, over %v", shown(n), n.over)
	}
	h.close()
	<-n.changed
	if n = h.next(&at); shown(n) != "" || !n.over {
		t.Errorf("got %q, over %v", shown(n), n.over)
	}
}
