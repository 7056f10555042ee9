package command

import (
	"strings"
	"testing"
	"time"
)

// What is quick is not shown; what takes long is drawn over and leaves nothing behind.
func TestProgress(t *testing.T) {
	var w strings.Builder
	p := &progress{w: &w, isOn: true, next: time.Now().Add(time.Hour)}
	tell := p.reporter("walking")
	tell(1, 3)
	p.clearLine()
	if w.Len() > 0 {
		t.Errorf("shown too early: %q", &w)
	}

	p.next = time.Time{}
	tell(2, 3)
	tell(3, 3) // too soon after the one before
	p.clearLine()
	p.clearLine()
	if got, want := w.String(), "\r\x1b[Kwalking: 2 of 3\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressNeedsATerminal(t *testing.T) {
	var w strings.Builder
	p := &progress{w: &w}
	p.reporter("walking")(1, 1)
	p.clearLine()
	if w.Len() > 0 {
		t.Errorf("shown: %q", &w)
	}
}
