package command

import (
	"fmt"
	"io"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// progress shows the progress of a slow step on a terminal.
type progress struct {
	w io.Writer
	// isOn is set if stderr is a terminal, isShown if a line is displayed.
	isOn, isShown bool
	next          time.Time
}

// Steps shorter than patience show nothing. The line changes at most every flicker.
const (
	patience = 400 * time.Millisecond
	flicker  = 100 * time.Millisecond
)

func newProgress(c *cli.Call) *progress {
	return &progress{
		w: c.Notes(), isOn: c.IsTerminal(c.Stderr) && c.Getenv("TERM") != "dumb", next: time.Now().Add(patience),
	}
}

// reporter returns a function that displays how much of something is done.
func (p *progress) reporter(what string) func(done, total int) {
	return func(done, total int) {
		if !p.isOn || time.Now().Before(p.next) {
			return
		}
		p.next, p.isShown = time.Now().Add(flicker), true
		fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d", what, done, total)
	}
}

// clearLine removes the line.
func (p *progress) clearLine() {
	if p.isShown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.isShown = false
	}
}
