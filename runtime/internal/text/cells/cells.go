package cells

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rune is how many cells a printable character takes.
func Rune(r rune) int {
	switch {
	case r < 0x300: // nothing below combines, and nothing is wide
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) || medial(r):
		return 0
	case unicode.Is(wide, r):
		return 2
	}

	return 1
}

// medial reports whether r is a vowel or a final of Hangul that is drawn into the cell of the letter before it.
func medial(r rune) bool { return 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FB }

// Width is how many cells a text takes.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += Rune(r)
	}

	return n
}

// ellipsis is where a text was cut.
const ellipsis = "…"

// Cut returns the beginning of a text that fits into so many cells, with an ellipsis if that is not all of it.
func Cut(text string, most int) string {
	if Fits(text, most) {
		return text
	}
	if most < 1 {
		return ""
	}

	return Head(text, most-1) + ellipsis
}

// CutLeft returns the end of a text that fits into so many cells, after an ellipsis if that is not all of it.
func CutLeft(text string, most int) string {
	if Fits(text, most) {
		return text
	}
	if most < 1 {
		return ""
	}
	used, from := 1, len(text)
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		used += Rune(r)
		if used > most {
			break
		}
		from -= size
	}

	// A mark whose letter did not fit would be on the ellipsis.
	return ellipsis + strings.TrimLeftFunc(text[from:], func(r rune) bool { return Rune(r) == 0 })
}

// Fits reports whether a text takes at most so many cells. It does not read further than it has to.
func Fits(text string, most int) bool { return len(Head(text, most)) == len(text) }

// Head returns the longest beginning of a text that takes at most so many cells, marks on its last letter included.
func Head(text string, most int) string {
	used := 0
	for i, r := range text {
		used += Rune(r)
		if used > most {
			return text[:i]
		}
	}

	return text
}

// marks is how many combining marks a letter may have: the most that any language writes, and no tower of them.
const marks = 4

// Plain returns a text of which each character is shown as itself, whatever a terminal thinks of sequences: without joiners and
// selectors of variants, and with few marks on a letter.
func Plain(text string) string {
	row := 0
	return strings.Map(func(r rune) rune {
		switch {
		case joins(r):
			return -1
		case Rune(r) > 0:
			row = 0
		default:
			row++
			if row > marks {
				return -1
			}
		}
		return r
	}, text)
}

// joins reports whether r makes one sign of its neighbours, or another variant of them, on terminals that know how.
func joins(r rune) bool {
	isJoiner := r == 0x200C || r == 0x200D
	isVariant := 0xFE00 <= r && r <= 0xFE0F || 0xE0020 <= r && r <= 0xE01EF
	isSkinTone := 0x1F3FB <= r && r <= 0x1F3FF

	return isJoiner || isVariant || isSkinTone
}
