package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// tabStop is the distance of tab stops in printed source lines. Tabs are written as spaces, because
// a terminal counts its own tab stops from the left edge, where the gutter is.
const tabStop = 4

// A cell is what a terminal displays for one rune of a source line.
type cell struct {
	text string
	// width is the number of columns: 0 for a combining mark, 2 for a wide rune.
	width int
	// offset is the byte offset of the rune in its file.
	offset int
}

// toCells returns the cells of a source line; offset is its offset in the file.
func toCells(line []byte, offset int) []cell {
	shown := make([]cell, 0, len(line))
	column := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		c := cell{offset: offset + i}
		switch {
		case r == '\t':
			c.width = tabStop - column%tabStop
			c.text = strings.Repeat(" ", c.width)
		default:
			c.text, c.width = safeText(r)
		}
		shown = append(shown, c)
		column += c.width
		i += size
	}

	return shown
}

// replaceUnsafe returns text for one line of a terminal: control characters, line breaks, direction
// marks and invisible characters become visible.
func replaceUnsafe(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return isUnsafe(r) || r == utf8.RuneError }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		shown, _ := safeText(r)
		b.WriteString(shown)
	}

	return b.String()
}

// safeText returns the text to display for r, and its number of columns.
func safeText(r rune) (text string, width int) {
	switch {
	case r < 0x20:
		return string(0x2400 + r), 1 // the symbols of control characters: ␀ to ␟
	case r == 0x7f:
		return "␡", 1
	case isUnsafe(r):
		text = fmt.Sprintf("<U+%04X>", r)
		return text, len(text)
	}

	return string(r), columnWidth(r)
}

// isUnsafe reports whether r would move the cursor, change a terminal's state, reorder the text
// around it, or be invisible. Joiners are safe, and scripts and emoji need them.
func isUnsafe(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r == nonJoiner || r == joiner {
		return false
	}

	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// columnWidth returns the number of columns of r on a terminal.
func columnWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff:
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}

	return 1
}
