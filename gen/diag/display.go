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

// A cell is what a terminal shows of one rune of a source line.
type cell struct {
	text string
	// width is how many columns text takes: 0 for a combining mark, 2 for a wide rune.
	width int
	// offset is the byte offset of the rune in its file.
	offset int
}

// cells turns the bytes of a source line into what is shown of them; offset is where they are in
// the file.
func cells(line []byte, offset int) []cell {
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
			c.text, c.width = harmless(r)
		}
		shown = append(shown, c)
		column += c.width
		i += size
	}

	return shown
}

// defuse returns text as it may be written to a terminal on one line: control characters, line
// breaks and everything that changes the direction of writing or cannot be seen become visible.
func defuse(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return isHarmful(r) || r == utf8.RuneError }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		shown, _ := harmless(r)
		b.WriteString(shown)
	}

	return b.String()
}

// harmless returns what to show for r, and how many columns that takes.
func harmless(r rune) (text string, width int) {
	switch {
	case r < 0x20:
		return string(0x2400 + r), 1 // the pictures of control characters: ␀ to ␟
	case r == 0x7f:
		return "␡", 1
	case isHarmful(r):
		text = fmt.Sprintf("<U+%04X>", r)
		return text, len(text)
	}

	return string(r), columns(r)
}

// isHarmful reports whether r would move the cursor, change a terminal's state, reorder the text
// around it, or hide. Joiners are spared: scripts and emoji need them, and they do none of this.
func isHarmful(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if r == nonJoiner || r == joiner {
		return false
	}

	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// columns returns how many columns of a terminal r takes.
func columns(r rune) int {
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
