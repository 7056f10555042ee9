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
	// The next character that may replace a hidden one, by its length, and the last: a text that has all 1,900 or 6,400 between them
	// gets that one.
	next, last := map[int]rune{2: 0xa1, 3: 0xe000}, map[int]rune{2: 0x7ff, 3: 0xf8ff}
	var toMask, fromMask []string
	for _, hidden := range "\u0085\u2028\u2029\ufeff" {
		if !bytes.ContainsRune(text, hidden) {
			continue
		}
		size := utf8.RuneLen(hidden)
		for next[size] < last[size] && bytes.ContainsRune(text, next[size]) {
			next[size]++
		}
		toMask = append(toMask, string(hidden), string(next[size]))
		fromMask = append(fromMask, string(next[size]), string(hidden))
		next[size]++
	}
	if toMask == nil {
		return &mask{text: text}
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
