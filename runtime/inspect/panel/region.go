package panel

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// region are the lines at the bottom of a terminal that are drawn over again and again. Between two writes the cursor is at their
// beginning, and the terminal is as it was otherwise: so what others write meanwhile stays, what a terminal does to lines when its size
// changes does not matter, and a process that is killed leaves nothing to be fixed. Each change is one write, and only of the lines
// that are others than before, so that nothing flickers.
type region struct {
	w io.Writer
	// size asks for the columns and rows of the terminal.
	size func() (columns, rows int)
	// drawn are the lines that are there, for a terminal of so many columns.
	drawn   []string
	columns int
}

const (
	eraseLine  = "\x1b[K"
	eraseBelow = "\r\x1b[J"
	// A line that is wider than it was thought to be loses its end, and does not become two.
	wrapOff = "\x1b[?7l"
	wrapOn  = "\x1b[?7h"
)

// draw shows lines, of which each has to fit.
func (r *region) draw(lines []string) {
	if columns, _ := r.size(); columns != r.columns {
		r.erase()
		r.columns = columns
	}
	if slices.Equal(lines, r.drawn) {
		return
	}
	r.write(r.replaceLines(lines))
	r.drawn = lines
}

// replaceLines is what turns the lines that are there into others.
func (r *region) replaceLines(lines []string) string {
	var b strings.Builder
	b.WriteString("\r" + wrapOff)
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if i >= len(r.drawn) || r.drawn[i] != line {
			b.WriteString(line + eraseLine)
		}
	}
	up := len(lines) - 1
	switch {
	case len(lines) == 0:
		b.WriteString(eraseBelow)
	case len(r.drawn) > len(lines):
		b.WriteString("\r\n" + eraseBelow)
		up++
	}
	if up > 0 {
		b.WriteString("\x1b[" + strconv.Itoa(up) + "A")
	}
	b.WriteString("\r" + wrapOn)

	return b.String()
}

// writeAbove writes text that stays above the region, which it erases.
func (r *region) writeAbove(text string) {
	if len(r.drawn) > 0 {
		text = eraseBelow + text
		r.drawn = nil
	}
	r.write(text)
}

func (r *region) erase() {
	if len(r.drawn) > 0 {
		r.writeAbove("")
	}
}

// write does not heed errors: where nothing can be shown, no error can be either.
func (r *region) write(text string) { _, _ = io.WriteString(r.w, text) }
