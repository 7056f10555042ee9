package yamldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// places converts the library's lines and columns into byte offsets. Its lines end with \n, \r\n or a lone \r, as YAML's
// do; its columns are runes. Nodes come in the order of the text, so a cursor makes the conversion linear even when the
// whole document is one line.
type places struct {
	text  []byte
	lines []int

	line, column, offset int // the place that was converted last
}

func newPlaces(text []byte) *places {
	p := &places{text: text, lines: make([]int, 1, bytes.Count(text, []byte{'\n'})+1)}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			p.lines = append(p.lines, i+1)
		}
	}

	return p
}

// at returns the offset of a 1-based line and 1-based column.
func (p *places) at(line, column int) int {
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

// column returns the 0-based column, in runes, of an offset.
func (p *places) columnOf(offset int) int {
	return utf8.RuneCount(p.text[lineStart(p.text, offset):offset])
}

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
