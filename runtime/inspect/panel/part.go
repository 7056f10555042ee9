// Package panel draws a run on a terminal, below the lines of its steps: the states of its machines, what is being
// executed, what models write, and what the run has cost. `agentc run` links it; include: [panel] puts it into the
// binary of a project.
package panel

import (
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// Part is the panel as a part of a program: generated code names it for include: [panel].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "panel" }

func init() { progress.Link(func(c *cli.Call) progress.Panel { return newScreen(c) }) }

// screen is the panel of a run on a terminal.
type screen struct {
	mu     sync.Mutex
	color  bool
	view   view
	atlas  diagramSet
	region region
	now    func() time.Time
	// shown is when the panel was drawn last.
	shown  time.Time
	hidden bool
	// stop ends redrawing; closed reports whether it has ended.
	stop   func()
	closed bool
}

// The panel is drawn at most once in a frame, and at least once in a tick, since it shows times.
const (
	frame = 50 * time.Millisecond
	tick  = 200 * time.Millisecond
)

func newScreen(c *cli.Call) *screen {
	return &screen{
		color: c.Color(c.Stderr), now: time.Now, stop: func() {}, view: newView("", time.Now()), atlas: newAtlas(&compiled.Program{}),
		region: region{w: c.Stderr, size: func() (columns, rows int) { return c.Size(c.Stderr) }},
	}
}

// Resumed implements progress.Panel.
func (s *screen) Resumed(t *trace.Trace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.agent = t.Agent
	of := t.Totals // what earlier processes have spent
	s.view.sums = sums{calls: of.Models, tokens: of.In + of.Out, cost: of.Cost, unpriced: of.Unpriced > 0}
}

// Start implements progress.Panel: the panel is also redrawn when the terminal changes its size.
func (s *screen) Start() {
	over := make(chan struct{})
	ticker := time.NewTicker(tick)
	resized, forget := watchSize()
	s.mu.Lock()
	s.view.began = s.now()
	s.stop = sync.OnceFunc(func() { close(over) })
	s.mu.Unlock()
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
			s.redraw()
		}
	}()
}

// Close implements progress.Panel.
func (s *screen) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.region.erase()
	s.closed = true
	s.stop()
}

// Observe implements event.Observer.
func (s *screen) Observe(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.observe(&e, s.now())
	if e.Kind != event.Transition && e.Kind != event.End { // the next event follows at once
		s.show()
	}
}

// changeView changes the view.
func (s *screen) changeView(change func(v *view, now time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.view, s.now())
	s.show()
}

// Print implements progress.Panel.
func (s *screen) Print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.region.writeAbove(text)
	s.shown = time.Time{} // the panel is erased: it is redrawn at once
}

// Hide implements progress.Panel.
func (s *screen) Hide() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.region.erase()
	s.hidden = true
}

// Show implements progress.Panel.
func (s *screen) Show() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden = false
}

// show draws the panel unless it was drawn within this frame.
func (s *screen) show() {
	if s.now().Sub(s.shown) >= frame {
		s.draw()
	}
}

func (s *screen) redraw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draw()
}

func (s *screen) draw() {
	if s.closed || s.hidden {
		return
	}
	s.shown = s.now()
	columns, rows := s.region.size()
	drawn := (&panel{view: &s.view, atlas: &s.atlas, columns: columns, rows: rows, now: s.shown}).draw()
	lines := make([]string, len(drawn))
	for i, r := range drawn {
		lines[i] = r.formatText(s.color)
	}
	s.region.draw(lines)
}
