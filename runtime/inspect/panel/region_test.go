package panel

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
)

// TestRegionWritesWhatChanged: a line that is as it was is not written again, and nothing is where nothing changed.
func TestRegionWritesWhatChanged(t *testing.T) {
	var out strings.Builder
	r := region{w: &out, size: func() (int, int) { return 80, 24 }}
	wrote := func(want string, do func()) {
		t.Helper()
		out.Reset()
		do()
		if out.String() != want {
			t.Errorf("wrote %q, want %q", out.String(), want)
		}
	}
	wrote("", func() { r.draw(nil) })
	wrote("\r\x1b[?7la\x1b[K\r\nb\x1b[K\r\nc\x1b[K\x1b[2A\r\x1b[?7h", func() { r.draw([]string{"a", "b", "c"}) })
	wrote("", func() { r.draw([]string{"a", "b", "c"}) })
	wrote("\r\x1b[?7l\r\nB\x1b[K\r\n\x1b[2A\r\x1b[?7h", func() { r.draw([]string{"a", "B", "c"}) })
	wrote("\r\x1b[?7l\r\n\r\n\r\x1b[J\x1b[2A\r\x1b[?7h", func() { r.draw([]string{"a", "B"}) })
	wrote("\r\x1b[Jline\n", func() { r.writeAbove("line\n") })
	wrote("line\n", func() { r.writeAbove("line\n") })
	wrote("", r.erase)
}

// TestFrames: a model that writes fast does not have the panel drawn with every word, and the last word is seen all the same.
func TestFrames(t *testing.T) {
	var out strings.Builder
	p := newScreen(&cli.Call{Env: &cli.Env{Stderr: &out, Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}})
	now := time.Unix(0, 0)
	p.now = func() time.Time { return now }
	p.changeView(func(v *view, now time.Time) { v.beginEffect(nil, "a", "model", now) })
	drawn := out.Len()
	for range 100 {
		p.Observe(event.Event{Kind: event.Delta, Address: "1", Text: "word "})
	}
	if out.Len() != drawn {
		t.Errorf("wrote %q within a frame", out.String()[drawn:])
	}
	p.Observe(event.Event{Kind: event.Delta, Address: "1", Text: "last"})
	p.redraw()
	if !strings.Contains(out.String(), "word last") {
		t.Errorf("the last word is not shown: %q", out.String())
	}
}

// TestHide: while the terminal is left to a question, nothing is drawn.
func TestHide(t *testing.T) {
	var out strings.Builder
	p := newScreen(&cli.Call{Env: &cli.Env{Stderr: &out, Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}})
	p.Hide()
	p.changeView(func(v *view, now time.Time) { v.beginEffect(lane{0}, "a@0", "model", now) })
	p.redraw()
	if out.Len() > 0 {
		t.Errorf("wrote %q into the question", out.String())
	}
	p.Show()
	p.redraw()
	if !strings.Contains(out.String(), "a@0") {
		t.Errorf("wrote %q after it", out.String())
	}
}
