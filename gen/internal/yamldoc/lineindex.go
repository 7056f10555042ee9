package yamldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// lineIndex converts lines and columns of the library to byte offsets. Lines end with \n, \r\n or a
// single \r, as in YAML; columns count runes. Nodes come in source order, so a cursor makes the
// conversion linear even if the whole document is one line.
type lineIndex struct {
	text  []byte
	lines []int

	line, column, offset int // the last converted position
}

func newLineIndex(text []byte) *lineIndex {
	p := &lineIndex{text: text, lines: make([]int, 1, bytes.Count(text, []byte{'\n'})+1)}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			p.lines = append(p.lines, i+1)
		}
	}

	return p
}

// offsetOf returns the offset of a 1-based line and a 1-based column.
func (p *lineIndex) offsetOf(line, column int) int {
	if line < 1 || line > len(p.lines) {
		return len(p.text)
	}
	if line != p.line || column < p.column {
		p.line, p.column, p.offset = line, 1, p.lines[line-1]
	}
	for p.column < column && p.offset < len(p.text) {
		_, size := utf8.DecodeRune(p.text[p.offset:])
		p.offset += size
		p.column++
	}

	return p.offset
}

// columnOf returns the 0-based column, in runes, of an offset.
func (p *lineIndex) columnOf(offset int) int {
	return utf8.RuneCount(p.text[lineStart(p.text, offset):offset])
}

// mask hides characters that the YAML library takes for line breaks, unlike YAML 1.2 (U+0085,
// U+2028, U+2029), and U+FEFF, which it refuses. Each is replaced by an unused character of the
// same length in UTF-8, so that offsets stay the same.
type mask struct {
	text     []byte
	original *strings.Replacer // nil if nothing is hidden
}

func newMask(text []byte) *mask {
	// The next replacement by its length, and the last. A text with all 1,900 or 6,400 of them gets
	// the last one.
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

// unhide restores the characters of the source in s.
func (m *mask) unhide(s string) string {
	if m.original == nil {
		return s
	}

	return m.original.Replace(s)
}
