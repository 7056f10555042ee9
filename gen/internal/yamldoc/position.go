package yamldoc

import (
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Positions maps the bytes of a scalar's text to the file.
type Positions struct {
	span source.Span
	// at has the offsets in the file of the bytes of the text, and of its end. It is nil if the
	// text is in the file unchanged.
	at    []int
	known bool
}

// NewPositions returns the positions of text, which is the value of the scalar under span (quoted,
// in a block, folded or plain) or the text of a file, with two-byte line breaks as one. If the text
// is not under span, because it is an alias for example, each position is the whole span.
func NewPositions(span source.Span, text string) *Positions {
	in := &Positions{span: span}
	written := span.Text()
	if written == text {
		in.known = true
		return in
	}

	for _, align := range []func(*aligner) bool{(*aligner).alignScalar, (*aligner).alignFile} {
		a := &aligner{source: []byte(written), text: text, at: make([]int, 0, len(text)+1)}
		if align(a) {
			in.known, in.at = true, a.at
			break
		}
	}

	return in
}

// IsExact reports whether the text is under the span of NewPositions.
func (in *Positions) IsExact() bool { return in.known }

// Span returns the span of the bytes [start, end) of the text.
func (in *Positions) Span(start, end int) source.Span {
	if !in.known {
		return in.span
	}
	s := in.span
	if in.at == nil {
		s.Start, s.End = s.Start+start, s.Start+end
		return s
	}
	s.Start, s.End = s.Start+in.at[start], s.Start+in.at[end]

	return s
}

// aligner reads the source of a scalar and its value in parallel.
type aligner struct {
	source []byte
	text   string
	i      int   // in source
	at     []int // for each byte of text so far, its offset in source
}

// alignScalar aligns a scalar, and reports whether text is the value of source.
func (a *aligner) alignScalar() bool {
	if len(a.source) == 0 {
		return false
	}
	switch a.source[0] {
	case '"':
		return a.alignQuoted('"')
	case '\'':
		return a.alignQuoted('\'')
	case '|', '>':
		return a.alignBlock()
	}

	return a.alignFlow(len(a.source))
}

// alignFile aligns the text of a file, which may have two-byte line breaks.
func (a *aligner) alignFile() bool { return a.alignLines(0) }

// remaining returns the part of the text that is not aligned yet.
func (a *aligner) remaining() string { return a.text[len(a.at):] }

// record records that the next n bytes of the text are at a.i.
func (a *aligner) record(n int) {
	for range n {
		a.at = append(a.at, a.i)
	}
}

// finish records the end of the text, and reports whether all of it is aligned.
func (a *aligner) finish(i int) bool {
	if len(a.at) != len(a.text) {
		return false
	}
	a.at = append(a.at, i)

	return true
}

func (a *aligner) alignQuoted(quote byte) bool {
	n := len(a.source) - 1
	if n < 1 || a.source[n] != quote {
		return false
	}
	a.i = 1

	return a.alignFlow(n)
}

// alignFlow aligns a text with folded line breaks up to an offset: a plain or a quoted one.
func (a *aligner) alignFlow(end int) bool {
	for a.i < end {
		ok := false
		switch c := a.source[a.i]; {
		case isBlank(c) || isBreak(c):
			ok = a.alignBlanks(end)
		case c == '\\' && a.source[0] == '"':
			ok = a.alignEscape()
		default:
			ok = a.alignByte()
		}
		if !ok {
			return false
		}
	}

	return a.finish(end)
}

// alignBlanks aligns the blanks and line breaks at a.i.
func (a *aligner) alignBlanks(end int) bool {
	if next := foldEnd(a.source[:end], a.i); next >= 0 {
		return a.alignFold(next)
	}
	for a.i < end && isBlank(a.source[a.i]) {
		if !a.alignByte() {
			return false
		}
	}

	return true
}

// alignFold aligns the line breaks before the offset next. A single one becomes a space; of
// several, the first is dropped.
func (a *aligner) alignFold(next int) bool {
	between := string(a.source[a.i:next])
	breaks := strings.Count(between, "\n") + strings.Count(between, "\r") - strings.Count(between, "\r\n")
	want := " "
	if breaks > 1 {
		want = strings.Repeat("\n", breaks-1)
	}
	if !strings.HasPrefix(a.remaining(), want) {
		return false
	}
	a.record(len(want))
	a.i = next

	return true
}

// alignEscape aligns an escape sequence.
func (a *aligner) alignEscape() bool {
	rest := a.source[a.i:]
	if len(rest) < 2 {
		return false
	}
	size := 2
	switch rest[1] {
	case '\r', '\n':
		a.i = foldEnd(a.source, a.i+1)
		return true
	case 'x':
		size = 4
	case 'u':
		size = 6
	case 'U':
		size = 10
	}
	if a.remaining() == "" || size > len(rest) {
		return false
	}
	_, n := utf8.DecodeRuneInString(a.remaining())
	a.record(n)
	a.i += size

	return true
}

// alignByte aligns a byte. A quote in single quotes is written twice.
func (a *aligner) alignByte() bool {
	c := a.source[a.i]
	if rest := a.remaining(); rest == "" || rest[0] != c {
		return false
	}
	a.record(1)
	a.i++
	if c == '\'' && a.source[0] == '\'' {
		a.i++
	}

	return true
}

// alignBlock aligns a literal or folded block. The indentation of its lines is the difference
// between the first lines with content, which may themselves begin with blanks.
func (a *aligner) alignBlock() bool {
	a.i = nextLine(a.source, 0)
	written, ok := leadingBlanks(string(a.source[a.i:]))
	meant, okText := leadingBlanks(a.text)

	return ok && okText && a.alignLines(max(written-meant, 0))
}

// leadingBlanks counts the spaces at the start of the first line with other characters.
func leadingBlanks(s string) (n int, ok bool) {
	content := strings.TrimLeft(s, " \r\n")
	blank := s[:len(s)-len(content)]

	return len(blank) - 1 - strings.LastIndexAny(blank, "\r\n"), content != ""
}

// alignLines aligns the lines from a.i on, each without its indentation. Line breaks of the text
// are aligned with the first line breaks of the source, also after the last line.
func (a *aligner) alignLines(indent int) bool {
	var breaks []int // since the last content
	between := func(n int) bool {
		if n > len(breaks) {
			return n == 0
		}
		a.at = append(a.at, breaks[:n]...)
		return true
	}
	for a.i < len(a.source) {
		end := lineEnd(a.source, a.i)
		if end-a.i > indent {
			a.i += indent
			before, _, found := strings.Cut(a.remaining(), string(a.source[a.i:end]))
			if !found || strings.Trim(before, " \n") != "" || !between(len(before)) {
				return false
			}
			for ; a.i < end; a.i++ {
				a.record(1)
			}
			breaks = nil
		}
		breaks = append(breaks, end)
		if end == len(a.source) {
			break
		}
		a.i = nextLine(a.source, end)
	}
	rest := a.remaining()
	if strings.Trim(rest, "\n") != "" || !between(len(rest)) {
		return false
	}
	if len(rest) < len(breaks) {
		return a.finish(breaks[len(rest)])
	}

	return a.finish(len(a.source))
}
