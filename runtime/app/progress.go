package app

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// progress shows a person where the machine is: a line for each step, and on a terminal below it a line that is drawn
// over again and again.
type progress struct {
	mu     sync.Mutex
	w      io.Writer
	live   bool
	color  bool
	drawn  bool
	expect map[string]string // machine: the state that its last transition led to
	agent  string            // what was started
	where  []string          // the machines that are running, outermost first, each with its state
}

func newProgress(c *cli.Call) *progress {
	return &progress{
		w: c.Stderr, live: cli.Terminal(c.Stderr) && c.Getenv("TERM") != "dumb", color: c.Color(c.Stderr),
		expect: map[string]string{},
	}
}

// Observe implements runtime.Observer.
func (p *progress) Observe(e runtime.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch e.Kind {
	case runtime.EventRun:
		p.agent = e.Agent
		p.draw("")
	case runtime.EventEnter:
		if p.expect[e.Machine] != e.State {
			p.line(e.Machine, e.State)
		}
		delete(p.expect, e.Machine)
		p.enter(e.Machine, e.State)
		p.draw("")
	case runtime.EventTransition:
		p.expect[e.Machine] = e.To
		p.line(e.Machine, transition(e))
	case runtime.EventTool:
		text := "tool " + e.Name
		if e.Problem != "" {
			text += ": " + e.Problem
		}
		p.line(e.Agent, text)
		p.draw("")
	case runtime.EventModel:
		p.draw("")
	case runtime.EventRepair:
		p.line(e.Agent, "asked again: "+e.Problem)
	case runtime.EventRetry:
		p.line(e.Agent, fmt.Sprintf("attempt %d failed, again in %v: %s", e.Count, e.Wait, e.Problem))
	case runtime.EventDelta:
		p.draw(e.Text)
	}
}

// transition shows a row that was taken.
func transition(e runtime.Event) string {
	arrow := "-->"
	if e.Matched != runtime.MatchUnconditional {
		arrow = "--" + e.Key + "-->"
	}
	to := e.To
	if to == "" {
		to = "end"
	}

	return e.State + " " + arrow + " " + to
}

// enter notes that machine is in state: machines inside of the state before are over.
func (p *progress) enter(machine, state string) {
	for i, w := range p.where {
		if strings.HasPrefix(w, machine+": ") {
			p.where = p.where[:i]
			break
		}
	}
	p.where = append(p.where, machine+": "+state)
}

// line writes a line that stays.
func (p *progress) line(who, text string) {
	p.erase()
	who, text = clean(who), clean(text)
	if p.color {
		who = "\x1b[1m" + who + "\x1b[0m"
	}
	fmt.Fprintf(p.w, "%s: %s\n", who, text)
}

// draw writes the line that does not stay.
func (p *progress) draw(text string) {
	if !p.live {
		return
	}
	p.erase()
	where := p.agent
	if len(p.where) > 0 {
		where = strings.Join(p.where, " > ")
	}
	line := []rune(clean(strings.TrimSpace(where + " " + text)))
	if len(line) > 78 {
		line = append(line[:75], []rune("...")...)
	}
	fmt.Fprintf(p.w, "%s", string(line))
	p.drawn = true
}

func (p *progress) erase() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// clear makes room for other text on the terminal.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// clean shows text of a model or a person on one line: control characters and direction marks cannot act on the terminal.
func clean(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}

	return b.String()
}

// cleanLines is clean for text that may keep its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clean(strings.TrimSuffix(line, "\r"))
	}

	return strings.Join(lines, "\n")
}
