package yamldoc

import (
	"bytes"
	"strings"
)

// flow reads a value in brackets or braces, over several lines if need be.
func (d *doctor) flow() {
	r := &flowReader{d: d, start: d.i, indent: -1}
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
	d.unclosed(r.open[len(r.open)-1], len(d.text)-1)
}

// flowReader is where the reading of a flow collection is.
type flowReader struct {
	d      *doctor
	start  int   // offset of the outermost bracket
	indent int   // column of the collection around it
	open   []int // offsets of the brackets that are open
	before byte  // the last character that is neither blank nor comment
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
	case c == '"' || c == '\'' && !inWord(d.text, i):
		return r.quoted(i)
	case c == '[' || c == '{':
		r.open = append(r.open, i)
	case c == ']' || c == '}':
		return r.close(i)
	case c == '#' && i > 0 && isBlank(d.text[i-1]):
		return lineEnd(d.text, i)
	case isBreak(c) && d.leaves(nextLine(d.text, i), r.indent):
		d.unclosed(r.open[len(r.open)-1], i)
		return -1
	}

	return i + 1
}

func (r *flowReader) quoted(i int) int {
	d, c := r.d, r.d.text[i]
	end := d.quoteEnd(i)
	if end > i+1 && d.text[end-1] == c {
		return end
	}
	d.report(i, trimEnd(d.text, i, lineEnd(d.text, i)), len(d.text)-1, "the quote %s that begins here is not closed", string(c))

	return -1
}

// close reads a closing bracket.
func (r *flowReader) close(i int) int {
	d, c := r.d, r.d.text[i]
	opener := r.open[len(r.open)-1]
	if o := d.text[opener]; o != c-2 {
		d.report(i, i+1, i, "%s closes nothing; the %s that is open here is closed by %s", string(c), string(o), string(o+2)).
			Note(d.span(opener, opener+1), "it was opened here")
		return -1
	}
	if r.open = r.open[:len(r.open)-1]; len(r.open) > 0 {
		return i + 1
	}
	d.behindFlow(r.start, i+1)

	return -1
}

func (d *doctor) unclosed(opener, limit int) {
	c := d.text[opener]
	d.report(opener, opener+1, limit, "the %s that begins here is not closed", string(c)).
		WithHint("%s is missing", string(c+2))
}

// inWord reports whether the quote at i stands inside a word, as in don't.
func inWord(text []byte, i int) bool {
	return i > 0 && !isBlank(text[i-1]) && !isBreak(text[i-1]) && strings.IndexByte("[{,:", text[i-1]) < 0
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
	if whole := string(d.text[start:end]); !strings.ContainsAny(whole, "\r\n") {
		f.WithHint("if all of it is text, write %s", quote(whole))
	}
}
