package command

import (
	"fmt"
	"io"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// progress shows on a terminal how far something has come that takes long.
type progress struct {
	w io.Writer
	// on says that there is a terminal, shown that there is a line on it.
	on, shown bool
	next      time.Time
}

// What takes less than patience is not shown, and what is shown does not flicker.
const (
	patience = 400 * time.Millisecond
	flicker  = 100 * time.Millisecond
)

func newProgress(c *cli.Call) *progress {
	return &progress{
		w: c.Notes(), on: c.IsTerminal(c.Stderr) && c.Getenv("TERM") != "dumb", next: time.Now().Add(patience),
	}
}

// of returns the function that reports how much of something is done.
func (p *progress) of(what string) func(done, total int) {
	return func(done, total int) {
		if !p.on || time.Now().Before(p.next) {
			return
		}
		p.next, p.shown = time.Now().Add(flicker), true
		fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d", what, done, total)
	}
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
