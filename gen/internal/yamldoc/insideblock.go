package yamldoc

import "strings"

// block aligns a literal or folded block. The text says what became of the line breaks and how far the lines are
// indented.
func (a *aligner) block() bool {
	a.i = nextLine(a.source, 0)
	indent := a.indent()
	if indent < 0 {
		return false
	}

	var breaks []int // those since the last content
	for a.i < len(a.source) {
		end := lineEnd(a.source, a.i)
		if end-a.i > indent {
			if !a.breaks(breaks) || !a.content(indent, end) {
				return false
			}
			breaks = nil
		}
		breaks = append(breaks, end)
		a.i = nextLine(a.source, end)
	}

	return a.lastBreaks(breaks)
}

// indent returns by how much the lines of the block at a.i are indented, -1 if the block is blank or is not that of
// the text: it is the difference between the first lines with content, which themselves may begin with blanks.
func (a *aligner) indent() int {
	written, ok := leadingBlanks(a.source[a.i:])
	meant, okText := leadingBlanks([]byte(a.text))
	if !ok || !okText {
		return -1
	}

	return written - meant
}

// leadingBlanks counts the spaces at the start of the first line that has something else.
func leadingBlanks(s []byte) (n int, ok bool) {
	for _, c := range s {
		switch c {
		case ' ':
			n++
		case '\r', '\n':
			n = 0
		default:
			return n, true
		}
	}

	return 0, false
}

// content aligns the line at a.i, which ends at end.
func (a *aligner) content(indent, end int) bool {
	a.i += indent
	if !strings.HasPrefix(a.rest(), string(a.source[a.i:end])) {
		return false
	}
	for a.i < end {
		a.meet(1)
		a.i++
	}

	return true
}

// breaks aligns the line breaks between two lines with content: a folded one is a space, or the first of several is
// dropped.
func (a *aligner) breaks(at []int) bool {
	rest := a.rest()
	kept := len(rest) - len(strings.TrimLeft(rest, "\n"))
	switch {
	case kept > len(at) || kept < len(at)-1:
		return false
	case kept == 0 && len(at) == 1:
		if !strings.HasPrefix(rest, " ") {
			return false
		}
		kept = 1
	}
	a.at = append(a.at, at[:kept]...)

	return true
}

// lastBreaks aligns the line breaks behind the last content, of which all, one or none may belong to the text.
func (a *aligner) lastBreaks(at []int) bool {
	rest := a.rest()
	if strings.Trim(rest, "\n") != "" || len(rest) > len(at) {
		return false
	}
	end := len(a.source)
	if len(rest) < len(at) {
		end = at[len(rest)]
	}
	a.at = append(a.at, at[:len(rest)]...)

	return a.end(end)
}
