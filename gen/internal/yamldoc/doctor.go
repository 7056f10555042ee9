package yamldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// doctor reads a text that is not YAML, line by line, and stops at the first usual mistake. It understands the block
// structure, quotes, brackets and block texts, and nothing else; it is never asked about a text that the library accepts.
type doctor struct {
	file *source.File
	base int // offset of text in the file
	text []byte
	i    int // where the reading is

	levels  []level
	anchors map[string]bool // names after &

	found *diag.Diagnostic
	at    int // offset of what was found
}

// level is a block mapping or list that is open.
type level struct {
	indent  int
	list    bool
	start   int // offset of its first entry's line
	entries int
	// open says that the last entry has no value yet, so that deeper lines may follow.
	open bool
	// text says that the last entry's value is plain text, which deeper lines continue.
	text bool
}

func (d *doctor) span(start, end int) source.Span {
	return source.Span{File: d.file, Start: d.base + start, End: d.base + end}
}

// report notes the first finding. limit is the offset that the library must have reached for it to be the reason.
func (d *doctor) report(start, end, limit int, format string, args ...any) *diag.Diagnostic {
	f := diag.New(diag.Syntax, d.span(start, end), format, args...)
	if d.found == nil {
		d.found, d.at = f, limit
	}

	return f
}

// examine reads the text until something is found.
func (d *doctor) examine() {
	for d.i < len(d.text) && d.found == nil {
		line, end := d.i, lineEnd(d.text, d.i)
		first := line
		for first < end && d.text[first] == ' ' {
			first++
		}
		switch rest := d.text[first:end]; {
		case len(rest) > 0 && rest[0] == '\t' && strings.Trim(string(rest), " \t") == "":
			d.report(first, end, first, "this line holds a tab and nothing else").WithFix("empty the line", d.span(line, end), "")
		case strings.Trim(string(rest), " \t") == "", rest[0] == '#':
			d.i = nextLine(d.text, line)
		case rest[0] == '\t':
			d.tab(first)
		case first == line && rest[0] == '%':
			d.directive(first, end)
		case first == line && isMarker(rest):
			d.levels, d.i = nil, nextLine(d.text, line)
		default:
			d.i = first
			d.line(line, first)
		}
	}
}

// directive reports a line that begins with a percent sign.
func (d *doctor) directive(i, end int) {
	if !bytes.HasPrefix(d.text[i:end], []byte("%YAML")) {
		d.report(i, trimEnd(d.text, i, end), i, "a text that begins with %% must be quoted")
		return
	}
	d.report(i, trimEnd(d.text, i, end), i, "a version of YAML is not named here").
		WithHint("remove the line: YAML is read by version 1.2").
		WithFix("remove the line", d.span(i, nextLine(d.text, i)), "")
}

func isMarker(line []byte) bool {
	s := strings.TrimRight(string(line), " \t")
	return s == "---" || s == "..."
}

func (d *doctor) tab(i int) {
	end := i
	for end < len(d.text) && d.text[end] == '\t' {
		end++
	}
	d.report(i, end, i, "a tab cannot indent YAML").WithHint("use spaces")
}

// line reads a line whose text begins at d.i, and with it whatever goes on over further lines.
func (d *doctor) line(line, first int) {
	if !d.enter(line, first) {
		return
	}
	for d.found == nil && d.i < len(d.text) && d.entryDash() {
		column := d.i - line
		d.open(line, column, true)
		for d.i++; d.i < len(d.text) && d.text[d.i] == ' '; d.i++ {
		}
		if d.atEnd() {
			d.top().open = true
			d.i = nextLine(d.text, d.i)
			return
		}
	}
	if d.found == nil {
		d.keyOrText(line)
	}
}

// entryDash reports whether a list entry begins at d.i.
func (d *doctor) entryDash() bool {
	return d.text[d.i] == '-' && (d.i+1 == len(d.text) || isBlank(d.text[d.i+1]) || isBreak(d.text[d.i+1]))
}

// atEnd reports whether nothing but a comment stands between d.i and the end of the line.
func (d *doctor) atEnd() bool {
	return d.i >= len(d.text) || isBreak(d.text[d.i]) || d.text[d.i] == '#'
}

func (d *doctor) top() *level {
	if len(d.levels) == 0 {
		return nil
	}

	return &d.levels[len(d.levels)-1]
}

// open counts an entry at a column, in the level that is there already or in a new one.
func (d *doctor) open(line, column int, list bool) {
	if t := d.top(); t != nil && t.indent == column && t.list == list {
		t.entries, t.open, t.text = t.entries+1, false, false
		return
	}
	d.levels = append(d.levels, level{indent: column, list: list, start: line, entries: 1})
}

// keyOrText reads `key: value`, or a value that stands alone.
func (d *doctor) keyOrText(line int) {
	start := d.i
	colon := d.keyEnd()
	if d.found != nil {
		return
	}
	if colon < 0 {
		d.alone(line, start)
		return
	}

	if colon == start {
		d.report(start, start+1, start, "a key is missing before the colon")
		return
	}
	column := start - line
	if t := d.top(); t != nil && t.list && t.indent == column {
		d.report(start, colon, start, "a key stands among the entries of a list").
			WithHint("a list's entry begins with -, a key of the mapping around it is indented less")
		return
	}
	d.open(line, column, false)
	for d.i = colon + 1; d.i < len(d.text) && isBlank(d.text[d.i]); d.i++ {
	}
	d.value(true)
}

// keyEnd returns the offset of the colon behind the key at d.i; -1 if the line holds no key.
func (d *doctor) keyEnd() int {
	end := lineEnd(d.text, d.i)
	switch c := d.text[d.i]; c {
	case '"', '\'':
		i := d.quoteEnd(d.i)
		if i > end {
			return -1
		}
		for i < end && isBlank(d.text[i]) {
			i++
		}
		if i < end && d.text[i] == ':' {
			return i
		}
		return -1
	case '[', '{', '?', '|', '>', '#':
		return -1
	case '*', '&', '!', '@', '`', '%':
		if colon := plainColon(d.text, d.i, end); colon >= 0 {
			d.indicator(d.i, trimEnd(d.text, d.i, colon))
			return colon
		}
		return -1
	}

	return plainColon(d.text, d.i, end)
}

// plainColon returns the offset of the first colon in [i, end) that ends a key; -1 if there is none.
func plainColon(text []byte, i, end int) int {
	for start := i; i < end; i++ {
		switch {
		case text[i] == '#' && (i == start || isBlank(text[i-1])):
			return -1
		case text[i] == ':' && (i+1 == end || isBlank(text[i+1])):
			return i
		}
	}

	return -1
}

// alone reads a line without a key: a value of its own, or a field whose colon is not recognised.
func (d *doctor) alone(line, start int) {
	end := trimEnd(d.text, start, lineEnd(d.text, start))
	text := string(d.text[start:end])
	t := d.top()
	field := t != nil && !t.list && t.indent == start-line
	next, followed := d.followedByField(start, start-line)
	if colon := strings.IndexByte(text, ':'); colon > 0 && !strings.ContainsAny(text[:colon], " \"'[{") && (field || followed) {
		at, limit := start+colon, start
		if !field {
			limit = next
		}
		d.report(at, at+1, limit, "a space is missing behind the colon of %q", text[:colon]).
			WithFix("insert a space", d.span(at+1, at+1), " ")
		return
	}
	if !field || text[0] == '"' || text[0] == '\'' {
		d.value(false)
	}
	switch {
	case !field || d.found != nil:
	case strings.IndexByte("]},", text[0]) >= 0:
		d.report(start, start+1, start, "%s closes nothing", text[:1])
	default:
		d.report(start, end, start, "this line is no field: a colon is missing").
			WithHint("a field is written key: value, further lines of a text are indented deeper")
	}
}

// followedByField reports whether the next line with text stands at the same indentation and has a key.
func (d *doctor) followedByField(i, indent int) (next int, ok bool) {
	for next = nextLine(d.text, i); next < len(d.text); next = nextLine(d.text, next) {
		first := next + d.indentOf(next)
		if first < lineEnd(d.text, next) {
			return next, first-next == indent && plainColon(d.text, first, lineEnd(d.text, next)) > first
		}
	}

	return next, false
}

func trimEnd(text []byte, start, end int) int {
	for end > start && isBlank(text[end-1]) {
		end--
	}

	return end
}
