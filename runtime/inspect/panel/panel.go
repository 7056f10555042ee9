package panel

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// panel draws a view for a terminal of so many columns and rows. The first line is left free: there the cursor is, and what others
// write is read there. The last cell of each line is left free too: terminals differ in where the cursor is after it.
type panel struct {
	view          *view
	atlas         *diagramSet
	columns, rows int
	now           time.Time
}

// The most lines that each kind of thing takes.
const (
	mostWays = 3
	mostSaid = 3
)

// margin is before all but the head.
const margin = "  "

func (p *panel) draw() []row {
	most := p.columns - 1
	if most < 8 || p.rows < 3 {
		return nil // nothing can be read there
	}
	rows := []row{nil, p.drawHead(most)}
	rows = append(rows, p.drawMachines(most)...)
	for _, q := range p.view.questions {
		rows = append(rows, drawQuestion(q))
	}
	if p.view.warning != "" {
		rows = append(rows, newLine(lookYellow, margin+p.view.warning))
	}
	rows = append(rows, p.drawTasks(most, p.rows-1-len(rows))...)
	rows = rows[:min(len(rows), p.rows-1)]
	for i := range rows {
		rows[i] = rows[i].cutTo(most)
	}

	return rows
}

// drawHead is the run in a line: what ran, how long, and what it cost. What does not fit is left out, the least first.
func (p *panel) drawHead(most int) row {
	r := newLine(lookBold, p.view.agent)
	s := &p.view.sums
	for _, part := range []string{
		formatClock(p.now.Sub(p.view.began)), wording.Count(s.calls, "call", "calls"), formatCount(s.tokens, "token", "tokens"), s.formatCost(),
	} {
		if part != "" && r.countCells()+len(margin)+cells.Width(part) <= most {
			r.appendText(lookDim, margin+part)
		}
	}

	return r
}

// drawMachines draws those that run, outermost first, and where the innermost may go from its state.
func (p *panel) drawMachines(most int) []row {
	var rows []row
	for i, at := range p.view.where {
		var r row
		label := margin
		if len(p.view.where) > 1 {
			label += at.machine + ": "
		}
		r.appendText(lookDim, label)
		near := p.atlas.findSurroundings(at)
		drawn, column := drawStrip(near.states, at, p.view.visits, most-r.countCells())
		column += r.countCells() + 1
		rows = append(rows, append(r, drawn...))
		if i == len(p.view.where)-1 && p.rows > 8 {
			rows = append(rows, drawTransitions(near.ways, column, most, mostWays)...)
		}
	}

	return rows
}

func drawQuestion(q *event.Event) row {
	r := newLine(lookYellow, margin+"? "+q.Name+": "+q.Text)
	if len(q.Choices) > 0 {
		r.appendText(lookYellow, " ("+strings.Join(q.Choices, ", ")+")")
	}

	return r
}

// drawTasks draws what is under way in at most so many rows: one task with what a model writes, several with a row each.
func (p *panel) drawTasks(most, rows int) []row {
	tasks := p.view.atWork()
	if len(tasks) == 1 {
		return p.drawSingleTask(tasks[0], most, rows)
	}
	var all []row
	for i, t := range tasks {
		if left := len(tasks) - i; i == rows-1 && left > 1 {
			return append(all, newLine(lookDim, fmt.Sprintf("%sand %d more at work", margin, left)))
		}
		r := p.drawTask(t)
		if room := most - r.countCells() - len(margin); t.said != "" && room > 0 {
			r.appendText(lookPlain, margin+cells.CutLeft(cells.Harmless(t.said), room))
		}
		all = append(all, r)
	}

	return all
}

func (p *panel) drawSingleTask(t *task, most, rows int) []row {
	all := []row{p.drawTask(t)}
	for _, text := range cells.Tail(cells.Harmless(t.said), most-2*len(margin), min(mostSaid, rows-1)) {
		all = append(all, newLine(lookPlain, margin+margin+text))
	}

	return all
}

// drawTask says who does what for how long.
func (p *panel) drawTask(t *task) row {
	r := newLine(lookBold, margin+t.who)
	switch {
	case t.until.After(p.now):
		left := (t.until.Sub(p.now) + time.Second - 1) / time.Second
		r.appendText(lookYellow, fmt.Sprintf("%sagain in %d s: attempt %d failed: %s", margin, left, t.attempt, t.problem))
	case t.attempt > 0:
		r.appendText(lookDim, fmt.Sprintf("%s%s, attempt %d %s", margin, t.what, t.attempt+1, formatClock(p.now.Sub(t.until))))
	default:
		r.appendText(lookDim, margin+t.what+" "+formatClock(p.now.Sub(t.since)))
	}

	return r
}

// formatClock is a time that passes, to the second.
func formatClock(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}

	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// formatCount is a count with its thousands apart.
func formatCount(n int, one, many string) string {
	text := wording.Count(n, one, many)
	for i := strings.IndexByte(text, ' ') - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}

	return text
}
