package yamldoc

import (
	"bytes"
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
	start := offset
	for start > 0 && p.text[start-1] != '\n' && p.text[start-1] != '\r' {
		start--
	}

	return utf8.RuneCount(p.text[start:offset])
}
