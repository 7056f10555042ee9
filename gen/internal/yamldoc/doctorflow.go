package yamldoc

import (
	"bytes"
	"strings"
)

// flow reads a value in brackets or braces, over several lines if need be.
func (d *doctor) flow() {
	r := &flowReader{d: d, start: d.i, indent: -1, value: -1}
	if t := d.top(); t != nil {
		r.indent = t.indent
	}
	for i := d.i; i < len(d.text); {
		next := r.read(i)
		if next < 0 {
			return
		}
		i = next
	}
	r.unclosed(len(d.text) - 1)
}

// flowReader is where the reading of a flow collection is.
type flowReader struct {
	d      *doctor
	start  int       // offset of the outermost bracket
	indent int       // column of the collection around it
	open   []bracket // those that are open
	before byte      // the last character that is neither blank nor comment

	value int  // offset of the key or value that is being read; -1 where none has begun
	whole bool // it stood in quotes or brackets, and is over
}

// bracket is a bracket that is open, and whether its entry has had a key.
type bracket struct {
	at    int
	keyed bool
}

// read reads what stands at i and returns where to go on; -1 at the end, be it a good one or not.
func (r *flowReader) read(i int) int {
	d, c := r.d, r.d.text[i]
	before := r.before
	if !isBlank(c) && !isBreak(c) && c != '#' {
		r.before = c
	}
	fresh := strings.IndexByte("[{,", before) >= 0
	switch {
	case c == ',' && fresh:
		d.report(i, i+1, i, "nothing stands before this comma")
		return -1
	case c == ':' && fresh && i+1 < len(d.text) && isBlank(d.text[i+1]):
		d.report(i, i+1, i, "a key is missing before the colon")
		return -1
	case c == '#' && i > 0 && isBlank(d.text[i-1]):
		return lineEnd(d.text, i)
	case isBreak(c) && d.leaves(nextLine(d.text, i), r.indent):
		r.unclosed(i)
		return -1
	case isBlank(c), isBreak(c):
		return i + 1
	case c == ']' || c == '}':
		return r.close(i)
	case c == ',':
		r.value, r.last().keyed = -1, false
		return i + 1
	case r.colon(i):
		return r.key(i)
	case r.value >= 0:
		return r.text(i)
	}

	return r.begin(i)
}

// last is the innermost bracket that is open.
func (r *flowReader) last() *bracket { return &r.open[len(r.open)-1] }

// begin reads how a key or a value begins.
func (r *flowReader) begin(i int) int {
	d, c := r.d, r.d.text[i]
	switch {
	case c == '"' || c == '\'':
		return r.quoted(i)
	case c == '{' && len(r.open) > 0 && isPlaceholder(d.text, i):
		return r.needsQuotes(i, i, "a text that begins with {{ must be quoted")
	case c == '[' || c == '{':
		r.open = append(r.open, bracket{at: i})
		return i + 1
	case c == '&' && anchorEnd(d.text, i) > i+1:
		d.anchors[string(d.text[i+1:anchorEnd(d.text, i)])] = true
		return anchorEnd(d.text, i)
	case c == '!':
		return tagEnd(d.text, i)
	case c == '*' && d.anchors[string(d.text[i+1:anchorEnd(d.text, i)])]:
	case strings.IndexByte("*&@`%|>", c) >= 0:
		return r.needsQuotes(i, i, "a text that begins with %s must be quoted", string(c))
	}
	r.value, r.whole = i, false

	return i + 1
}

func (r *flowReader) quoted(i int) int {
	d, c := r.d, r.d.text[i]
	end := d.quoteEnd(i)
	if end > i+1 && d.text[end-1] == c {
		r.value, r.whole, r.before = i, true, c
		return end
	}
	d.report(i, trimEnd(d.text, i, lineEnd(d.text, i)), len(d.text)-1, "the quote %s that begins here is not closed", string(c))

	return -1
}

// close reads a closing bracket.
func (r *flowReader) close(i int) int {
	d, c := r.d, r.d.text[i]
	opener := r.last().at
	if o := d.text[opener]; o != c-2 {
		d.report(i, i+1, i, "%s closes nothing; the %s that is open here is closed by %s", string(c), string(o), string(o+2)).
			Note(d.span(opener, opener+1), "it was opened here")
		return -1
	}
	if r.open = r.open[:len(r.open)-1]; len(r.open) > 0 {
		r.value, r.whole = opener, true
		return i + 1
	}
	d.behindFlow(r.start, i+1)

	return -1
}

// unclosed reports the innermost bracket, which nothing closes.
func (r *flowReader) unclosed(limit int) {
	at := r.last().at
	c := r.d.text[at]
	r.d.report(at, at+1, limit, "the %s that begins here is not closed", string(c)).
		WithHint("%s is missing", string(c+2))
}

// leaves reports whether the line at i is a field at or left of an indentation, which nothing in brackets should be.
func (d *doctor) leaves(line, indent int) bool {
	if line >= len(d.text) {
		return false
	}
	n := d.indentOf(line)
	if line+n == lineEnd(d.text, line) || n > max(indent, 0) {
		return false
	}
	rest := d.text[line+n : lineEnd(d.text, line)]

	return bytes.HasPrefix(rest, []byte("- ")) || plainColon(rest, 0, len(rest)) > 0 && rest[0] != '"' && rest[0] != '\''
}

// behindFlow reads what stands behind a closing bracket at i of a value that began at start.
func (d *doctor) behindFlow(start, i int) {
	rest := d.behind(i)
	if rest == "" {
		d.i = nextLine(d.text, i)
		return
	}
	for isBlank(d.text[i]) {
		i++
	}
	end := i + len(rest)
	if c := rest[0]; c == ']' || c == '}' {
		d.report(i, i+1, i, "%s closes nothing", string(c))
		return
	}
	f := d.report(i, end, i, "%q stands behind the closing bracket", rest)
	d.hintWhole(f, start, end)
}
