package yamldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// mask hides from the YAML library the characters that it would take for line breaks although YAML 1.2 does not (U+0085,
// U+2028, U+2029), and U+FEFF, which it refuses. Each is replaced by a character of the same length in UTF-8 that occurs
// nowhere in the text, so that offsets stay what they are.
type mask struct {
	text     []byte
	original *strings.Replacer // nil when nothing is hidden
}

func newMask(text []byte) *mask {
	hidden := []rune{'\u0085', '\u2028', '\u2029', '\ufeff'}
	var there, toMask, fromMask []string
	for _, r := range hidden {
		if bytes.ContainsRune(text, r) {
			there = append(there, string(r))
		}
	}
	if there == nil {
		return &mask{text: text}
	}

	free := freeRunes(text)
	for _, s := range there {
		stand := free(len(s))
		toMask = append(toMask, s, stand)
		fromMask = append(fromMask, stand, s)
	}

	return &mask{
		text:     []byte(strings.NewReplacer(toMask...).Replace(string(text))),
		original: strings.NewReplacer(fromMask...),
	}
}

// unhide gives s the characters of the source back.
func (m *mask) unhide(s string) string {
	if m.original == nil {
		return s
	}

	return m.original.Replace(s)
}

// freeRunes returns a function that gives, at each call, another printable character of the wanted length in UTF-8 (2 or
// 3 bytes) that does not occur in text. There are 1,900 and 6,400 candidates; a text that uses them all gets the last.
func freeRunes(text []byte) func(size int) string {
	used := map[rune]bool{}
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			used[r] = true
		}
	}
	next := func(from, to rune) string {
		for r := from; r < to; r++ {
			if !used[r] {
				used[r] = true
				return string(r)
			}
		}
		return string(to)
	}

	return func(size int) string {
		if size == 2 {
			return next(0xa1, 0x7ff)
		}
		return next(0xe000, 0xf8ff)
	}
}
