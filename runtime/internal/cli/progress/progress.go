// Package progress shows a person where a run is: a line on stderr for each step, and on a terminal, below the lines, a
// panel that is redrawn as the run proceeds. Only some binaries have a panel: its package calls [Link].
package progress

import (
	"fmt"
	"io"
	"sync"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// Panel is drawn below the lines. Its methods may be called concurrently.
type Panel interface {
	event.Observer
	// Resumed sets what earlier processes have spent on the run.
	Resumed(t *trace.Trace)
	// Watch returns the program with effects that the panel shows.
	Watch(p *compiled.Program) *compiled.Program
	// Start redraws the panel from now on, until Close erases it.
	Start()
	Close()
	// Print writes text above the panel.
	Print(text string)
	// Hide erases the panel and does not draw it before Show.
	Hide()
	Show()
}

// Progress shows a run.
type Progress struct {
	Panel
	mu    sync.Mutex
	color bool
	lines lines
	// hushed counts who has the terminal; waiting are the lines of that time.
	hushed  int
	waiting []line
}

// open is what Link has set. It is not a part of the program, so that `agentc run` can link the panel to a package main
// that others have written, by an import.
var open func(c *cli.Call) Panel

// Link sets the function that opens panels. Package panel calls it when the process starts.
func Link(f func(c *cli.Call) Panel) { open = f }

// Open returns a panel on stderr; nil if that is not a terminal that can show one, with --quiet, or if the binary has no panel.
func Open(c *cli.Call) Panel {
	if open == nil || c.On("quiet") || !c.Screen(c.Stderr) {
		return nil
	}

	return open(c)
}

// New returns what shows a run on stderr, with a panel or nil.
func New(c *cli.Call, panel Panel) *Progress {
	if panel == nil {
		panel = noPanel{w: c.Notes()}
	}

	return &Progress{color: c.Color(c.Stderr), lines: newLines(""), Panel: panel}
}

// Resumed sets the run that is resumed, since an observer does not receive its earlier events.
func (p *Progress) Resumed(t *trace.Trace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = newLines(t.Agent)
	p.lines.estimated = t.Totals.Estimated
	p.Panel.Resumed(t)
}

// Observe implements event.Observer.
func (p *Progress) Observe(e event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines.linesFor(&e) {
		p.printOrHold(l)
	}
	p.Panel.Observe(e)
}

// Hush leaves the terminal to the caller until it calls end. Lines of that time are printed after it.
func (p *Progress) Hush() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Panel.Hide()
	p.hushed++

	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.hushed--
		if p.hushed > 0 {
			return
		}
		for _, l := range p.waiting {
			p.printOrHold(l)
		}
		p.waiting = nil
		p.Panel.Show()
	}
}

// printOrHold prints a line, or keeps it until lines may be printed again.
func (p *Progress) printOrHold(l line) {
	if p.hushed > 0 {
		p.waiting = append(p.waiting, l)
		return
	}
	who, text := cells.Clean(l.who), cells.Clean(l.text)
	if p.color {
		who = "\x1b[1m" + who + "\x1b[0m"
	}
	p.Panel.Print(fmt.Sprintf("%s: %s\n", who, text))
}

// noPanel only prints.
type noPanel struct{ w io.Writer }

func (noPanel) Observe(event.Event)                         {}
func (noPanel) Resumed(*trace.Trace)                        {}
func (noPanel) Watch(p *compiled.Program) *compiled.Program { return p }
func (noPanel) Start()                                      {}
func (noPanel) Close()                                      {}
func (n noPanel) Print(text string)                         { _, _ = io.WriteString(n.w, text) }
func (noPanel) Hide()                                       {}
func (noPanel) Show()                                       {}
