package yamldoc

import "strings"

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
