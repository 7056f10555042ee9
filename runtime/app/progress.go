package app

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// progress shows a person where the run is: a line for each step, and on a terminal below it a line that is drawn over again
// and again.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	color bool
	lines lines
	live  live
	// hushed counts the questions that are being asked; waiting are the lines that came meanwhile.
	hushed  int
	waiting []line
}

func newProgress(c *cli.Call) *progress {
	return &progress{
		w: c.Stderr, color: c.Color(c.Stderr), lines: newLines(""),
		live: live{on: cli.Terminal(c.Stderr) && c.Getenv("TERM") != "dumb"},
	}
}

// goesOn says that a run of the agent goes on, of which nobody will hear how it began.
func (p *progress) goesOn(agent string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines, p.live.agent = newLines(agent), agent
}

// Observe implements runtime.Observer.
func (p *progress) Observe(e runtime.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()

	for _, l := range p.lines.of(e) {
		p.print(l)
	}
	switch e.Kind {
	case runtime.EventRun:
		p.live.agent = e.Agent
	case runtime.EventEnter:
		if branchOf(e.Address) == "" {
			p.live.enter(e.Machine, e.State)
		}
	case runtime.EventTransition, runtime.EventEnd:
		return // what is drawn next comes with the next event
	}
	p.draw(e.Text, e.Kind == runtime.EventDelta)
}

// works notes that a model is asked for an agent.
func (p *progress) works(agent string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.works(agent)
	p.draw("", false)
}

// branches notes that so many branches more are running, or fewer.
func (p *progress) branches(more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.running += more
}

// hush leaves the terminal to a question until the function that it returns is called. What happens in other branches is shown
// after that.
func (p *progress) hush() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.hushed++

	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.hushed--; p.hushed > 0 {
			return
		}
		for _, l := range p.waiting {
			p.print(l)
		}
		p.waiting = nil
	}
}

// print writes a line that stays.
func (p *progress) print(l line) {
	if p.hushed > 0 {
		p.waiting = append(p.waiting, l)
		return
	}
	p.erase()
	who, text := clean(l.who), clean(l.text)
	if p.color {
		who = "\x1b[1m" + who + "\x1b[0m"
	}
	fmt.Fprintf(p.w, "%s: %s\n", who, text)
}

// draw writes the line that does not stay, with what a model is just saying behind it.
func (p *progress) draw(said string, saying bool) {
	if !p.live.on || p.hushed > 0 {
		return
	}
	text := p.live.text()
	if saying {
		text += " " + said
	}
	shown := []rune(clean(strings.TrimSpace(text)))
	if len(shown) > 78 {
		shown = append(shown[:75], []rune("...")...)
	}
	if string(shown) == p.live.drawn {
		return
	}
	p.erase()
	p.live.drawn = string(shown)
	fmt.Fprint(p.w, p.live.drawn)
}

func (p *progress) erase() {
	if p.live.drawn != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.live.drawn = ""
	}
}

// clear makes room for other text on the terminal.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}
