package panel

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// row is a line of the panel before it is cut to the terminal.
type row []span

// span is text that looks alike. It was cleaned: what it shows is what it takes.
type span struct {
	text string
	look look
}

// look is how text is marked, as the parameter of the terminal's SGR sequence; "" for text that is not.
type look string

const (
	lookPlain  look = ""
	lookBold   look = "1"
	lookDim    look = "2"
	lookRed    look = "31"
	lookYellow look = "33"
)

// appendText appends text of anybody.
func (r *row) appendText(l look, text string) {
	if text != "" {
		*r = append(*r, span{cells.Harmless(text), l})
	}
}

// newLine is a row of one look.
func newLine(l look, text string) (r row) {
	r.appendText(l, text)

	return r
}

func (r row) countCells() int {
	n := 0
	for _, s := range r {
		n += cells.Width(s.text)
	}

	return n
}

// cutTo returns what fits into so many cells.
func (r row) cutTo(most int) row {
	for i, s := range r {
		used := cells.Width(s.text)
		// Of two spans that fill the line, the last cell may be needed to show that there is a
		// third.
		if used > most || used == most && i < len(r)-1 {
			cut := append(row(nil), r[:i]...)
			if used == most {
				s.text += " "
			}
			return append(cut, span{cells.Cut(s.text, most), s.look})
		}
		most -= used
	}

	return r
}

// formatText is the row as it is written.
func (r row) formatText(color bool) string {
	var b strings.Builder
	for _, s := range r {
		if s.look == lookPlain || !color {
			b.WriteString(s.text)
			continue
		}
		b.WriteString("\x1b[" + string(s.look) + "m" + s.text + "\x1b[0m")
	}

	return b.String()
}
