package yamldoc

import (
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Inside knows where each byte of a scalar's text is in the file.
type Inside struct {
	span source.Span
	// at are the offsets in the file of the bytes of the text, and of its end; nil when the text is in the file
	// as it is.
	at    []int
	known bool
}

// NewInside returns the places of text, which is the value of the scalar under span (in quotes, in a block, folded,
// or as it is) or the text of a file, in which line breaks of two bytes count as one. If span holds something else,
// such as an alias, every place is the whole span.
func NewInside(span source.Span, text string) *Inside {
	in := &Inside{span: span}
	written := span.Text()
	if written == text {
		in.known = true
		return in
	}

	for _, align := range []func(*aligner) bool{(*aligner).scalar, (*aligner).file} {
		a := &aligner{source: []byte(written), text: text, at: make([]int, 0, len(text)+1)}
		if align(a) {
			in.known, in.at = true, a.at
			break
		}
	}

	return in
}

// Known reports whether the text is under the span that NewInside was given.
func (in *Inside) Known() bool { return in.known }

// Span returns where the bytes [start, end) of the text are in the file.
func (in *Inside) Span(start, end int) source.Span {
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

// aligner goes through what a scalar is written as and what it means, side by side.
type aligner struct {
	source []byte
	text   string
	i      int   // in source
	at     []int // for each byte of text that has been met, its place in source
}

// scalar aligns a scalar, and reports whether source means text.
func (a *aligner) scalar() bool {
	if len(a.source) == 0 {
		return false
	}
	switch a.source[0] {
	case '"':
		return a.quoted('"')
	case '\'':
		return a.quoted('\'')
	case '|', '>':
		return a.block()
	}

	return a.flow(len(a.source))
}

// file aligns the text of a file, whose line breaks may be of two bytes.
func (a *aligner) file() bool { return a.lines(0) }

// rest is what of the text has not been met.
func (a *aligner) rest() string { return a.text[len(a.at):] }

// meet says that the next n bytes of the text are at a.i.
func (a *aligner) meet(n int) {
	for range n {
		a.at = append(a.at, a.i)
	}
}

// end says where the text ends, and reports whether all of it was met.
func (a *aligner) end(i int) bool {
	if len(a.at) != len(a.text) {
		return false
	}
	a.at = append(a.at, i)

	return true
}

func (a *aligner) quoted(quote byte) bool {
	n := len(a.source) - 1
	if n < 1 || a.source[n] != quote {
		return false
	}
	a.i = 1

	return a.flow(n)
}

// flow aligns a text whose line breaks are folded, up to the offset end: a plain one, or what is in quotes.
func (a *aligner) flow(end int) bool {
	for a.i < end {
		ok := false
		switch c := a.source[a.i]; {
		case isBlank(c) || isBreak(c):
			ok = a.blanks(end)
		case c == '\\' && a.source[0] == '"':
			ok = a.escape()
		default:
			ok = a.same()
		}
		if !ok {
			return false
		}
	}

	return a.end(end)
}

// blanks aligns the blanks and line breaks at a.i.
func (a *aligner) blanks(end int) bool {
	if next := foldEnd(a.source[:end], a.i); next >= 0 {
		return a.fold(next)
	}
	for a.i < end && isBlank(a.source[a.i]) {
		if !a.same() {
			return false
		}
	}

	return true
}

// fold aligns the line breaks before the offset next: one is a space, of more the first is dropped.
func (a *aligner) fold(next int) bool {
	between := string(a.source[a.i:next])
	breaks := strings.Count(between, "\n") + strings.Count(between, "\r") - strings.Count(between, "\r\n")
	want := " "
	if breaks > 1 {
		want = strings.Repeat("\n", breaks-1)
	}
	if !strings.HasPrefix(a.rest(), want) {
		return false
	}
	a.meet(len(want))
	a.i = next

	return true
}

// escape aligns a backslash and what belongs to it.
func (a *aligner) escape() bool {
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
	if a.rest() == "" || size > len(rest) {
		return false
	}
	_, n := utf8.DecodeRuneInString(a.rest())
	a.meet(n)
	a.i += size

	return true
}

// same aligns a byte that means itself; a quote in single quotes is written twice.
func (a *aligner) same() bool {
	c := a.source[a.i]
	if rest := a.rest(); rest == "" || rest[0] != c {
		return false
	}
	a.meet(1)
	a.i++
	if c == '\'' && a.source[0] == '\'' {
		a.i++
	}

	return true
}

// block aligns a literal or folded block. How far its lines are indented is the difference between the first lines with content,
// which themselves may begin with blanks.
func (a *aligner) block() bool {
	a.i = nextLine(a.source, 0)
	written, ok := leadingBlanks(string(a.source[a.i:]))
	meant, okText := leadingBlanks(a.text)

	return ok && okText && a.lines(max(written-meant, 0))
}

// leadingBlanks counts the spaces at the start of the first line that has something else.
func leadingBlanks(s string) (n int, ok bool) {
	content := strings.TrimLeft(s, " \r\n")
	blank := s[:len(s)-len(content)]

	return len(blank) - 1 - strings.LastIndexAny(blank, "\r\n"), content != ""
}

// lines aligns the lines from a.i on, each without its indentation. The text says what became of the line breaks between two of them:
// what is there in it is at the first ones, as does what is behind the last.
func (a *aligner) lines(indent int) bool {
	var breaks []int // those since the last content
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
			before, _, found := strings.Cut(a.rest(), string(a.source[a.i:end]))
			if !found || strings.Trim(before, " \n") != "" || !between(len(before)) {
				return false
			}
			for ; a.i < end; a.i++ {
				a.meet(1)
			}
			breaks = nil
		}
		if breaks = append(breaks, end); end == len(a.source) {
			break
		}
		a.i = nextLine(a.source, end)
	}
	rest := a.rest()
	if strings.Trim(rest, "\n") != "" || !between(len(rest)) {
		return false
	}
	if len(rest) < len(breaks) {
		return a.end(breaks[len(rest)])
	}

	return a.end(len(a.source))
}
