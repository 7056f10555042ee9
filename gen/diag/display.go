package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabStop is the distance of tab stops in printed source lines. Tabs are written as spaces, because a terminal counts its
// own stops from the left edge, where the gutter stands.
const tabStop = 4

// A cell is what a terminal shows of one rune of a source line.
type cell struct {
	text string
	// width is how many columns text takes: 0 for a combining mark, 2 for a wide rune.
	width int
	// offset is the byte offset of the rune in its file.
	offset int
}

// cells turns the bytes of a source line into what is shown of them; offset is where they stand in the file.
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

// defuse returns text as it may be written to a terminal on one line: control characters, line breaks and everything that
// changes the direction of writing or cannot be seen become visible.
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

// isHarmful reports whether r would move the cursor, change a terminal's state, reorder the text around it, or hide.
// Joiners are spared: scripts and emoji need them, and they do none of this.
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
	case unicode.Is(wide, r):
		return 2
	}

	return 1
}

// wide are the runes that terminals show two columns wide: the classes W and F of Unicode's East Asian Width, with the
// unassigned runes inside their blocks.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2329, 0x232a, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f3, 3},
		{0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267f, 0x2693, 20}, {0x26a1, 0x26a1, 1},
		{0x26aa, 0x26ab, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1}, {0x26ce, 0x26d4, 6}, {0x26ea, 0x26ea, 1},
		{0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5}, {0x26fd, 0x26fd, 1}, {0x2705, 0x2705, 1}, {0x270a, 0x270b, 1},
		{0x2728, 0x2728, 1}, {0x274c, 0x274e, 2}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1},
		{0x27b0, 0x27bf, 15}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5}, {0x2e80, 0x303e, 1}, {0x3041, 0x4dbf, 1},
		{0x4e00, 0xa4cf, 1}, {0xa960, 0xa97f, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18cff, 1}, {0x18d00, 0x18d08, 1}, {0x1aff0, 0x1b2fb, 1}, {0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1},
		{0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f200, 0x1f320, 1}, {0x1f32d, 0x1f335, 1}, {0x1f337, 0x1f37c, 1},
		{0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1}, {0x1f3e0, 0x1f3f0, 1}, {0x1f3f4, 0x1f3f4, 1},
		{0x1f3f8, 0x1f43e, 1}, {0x1f440, 0x1f440, 1}, {0x1f442, 0x1f4fc, 1}, {0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f54e, 1},
		{0x1f550, 0x1f567, 1}, {0x1f57a, 0x1f57a, 1}, {0x1f595, 0x1f596, 1}, {0x1f5a4, 0x1f5a4, 1}, {0x1f5fb, 0x1f64f, 1},
		{0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1}, {0x1f6d0, 0x1f6d2, 1}, {0x1f6d5, 0x1f6d7, 1}, {0x1f6dc, 0x1f6df, 1},
		{0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7eb, 1}, {0x1f7f0, 0x1f7f0, 1}, {0x1f90c, 0x1f93a, 1},
		{0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1}, {0x20000, 0x2fffd, 1}, {0x30000, 0x3fffd, 1},
	},
}
