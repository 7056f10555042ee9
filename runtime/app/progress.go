package app

import (
	"fmt"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
)

// progress shows a person where the run is: a line for each step, and on a terminal below them a panel that is drawn over again and
// again.
type progress struct {
	mu    sync.Mutex
	color bool
	lines lines
	// live says that there is a panel.
	live   bool
	view   view
	atlas  atlas
	region region
	now    func() time.Time
	// shown is when the panel was drawn last.
	shown time.Time
	// hushed counts those to whom the terminal is left; waiting are the lines that came meanwhile.
	hushed  int
	waiting []line
	// stop ends what redraws the panel; nil while nothing does.
	stop func()
}

// The panel is drawn at most every frame, and at least every tick while time passes in it.
const (
	frame = 50 * time.Millisecond
	tick  = 200 * time.Millisecond
)

func newProgress(c *cli.Call) *progress {
	p := &progress{
		color: c.Color(c.Stderr), lines: newLines(""), live: c.Screen(c.Stderr), now: time.Now,
		region: region{w: c.Stderr, size: func() (columns, rows int) { return cli.Size(c.Stderr) }},
	}
	p.view, p.atlas = newView("", p.now()), newAtlas(&compiled.Program{})

	return p
}

// goesOn says that a run goes on, of which nobody will hear how it began.
func (p *progress) goesOn(t *trace.Trace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines, p.view.agent = newLines(t.Agent), t.Agent
	p.view.spent(t.Totals)
}

// start has the panel redrawn while time passes and the terminal changes its size, until close.
func (p *progress) start() {
	if !p.live {
		return
	}
	over := make(chan struct{})
	ticker := time.NewTicker(tick)
	resized, forget := resizes()
	p.mu.Lock()
	p.view.began = p.now()
	p.stop = sync.OnceFunc(func() { close(over) })
	p.mu.Unlock()
	go func() {
		defer forget()
		defer ticker.Stop()
		for {
			select {
			case <-over:
				return
			case <-ticker.C:
			case <-resized:
			}
			p.redraw()
		}
	}()
}

// close takes the panel away for good.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.region.erase()
	p.live = false
	if p.stop != nil {
		p.stop()
	}
}

// Observe implements event.Observer.
func (p *progress) Observe(e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if e.Kind == event.Run {
		p.view.agent = e.Agent
	}
	p.view.observe(e, p.now())
	for _, l := range p.lines.of(e) {
		p.print(l)
	}
	if e.Kind != event.Transition && e.Kind != event.End { // what is drawn next comes with the next event
		p.show()
	}
}

// changed changes the view.
func (p *progress) changed(change func(v *view, now time.Time)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.view, p.now())
	p.show()
}

// hush leaves the terminal to somebody else until the function that it returns is called. What happens meanwhile is shown after that.
func (p *progress) hush() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.region.erase()
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
	who, text := clean(l.who), clean(l.text)
	if p.color {
		who = "\x1b[1m" + who + "\x1b[0m"
	}
	p.region.above(fmt.Sprintf("%s: %s\n", who, text))
	p.shown = time.Time{} // the panel is gone: it is drawn anew however short ago it was
}

// show draws the panel, unless it was only just drawn.
func (p *progress) show() {
	if p.now().Sub(p.shown) >= frame {
		p.draw()
	}
}

func (p *progress) redraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draw()
}

func (p *progress) draw() {
	if !p.live || p.hushed > 0 {
		return
	}
	p.shown = p.now()
	columns, rows := p.region.size()
	drawn := (&panel{view: &p.view, atlas: &p.atlas, columns: columns, rows: rows, now: p.shown}).draw()
	lines := make([]string, len(drawn))
	for i, r := range drawn {
		lines[i] = r.text(p.color)
	}
	p.region.draw(lines)
}
