package yamldoc

import "fmt"

// enter closes the levels that a line at this indentation leaves, and reports an indentation that fits none. It is false
// if the line needs no reading: it was reported, or it continues a text.
func (d *doctor) enter(line, first int) bool {
	indent := first - line
	var closed *level
	for t := d.top(); t != nil && t.indent > indent; t = d.top() {
		c := *t
		d.levels, closed = d.levels[:len(d.levels)-1], &c
	}

	t := d.top()
	switch {
	case t == nil && closed == nil:
		return true
	case t != nil && t.indent == indent:
		return d.sameLevel(first)
	case closed != nil:
		// The line stands between two levels. It was meant for the one whose entries look like it.
		if t != nil && t.list && d.entryDash() && !closed.list {
			closed = t
		}
		d.misplaced(line, first, *closed)
		return false
	case t.open:
		return true
	}

	return d.deeper(line, first)
}

// sameLevel reads a line at the indentation of an open level.
func (d *doctor) sameLevel(first int) bool {
	t := d.top()
	dash := d.entryDash()
	switch {
	case t.list == dash:
		return true
	case dash && t.open: // a list may stand at the indentation of its key
		return true
	case dash:
		if r, ok := d.repair(first - t.indent); ok {
			d.indentation(r.line, first, "; with %s it would fit", r.to)
			return false
		}
		d.report(first, first+1, first, "a list entry stands among the keys of a mapping").
			WithHint("indent it below the key that it belongs to")
		return false
	}

	// A key behind a list at the same indentation belongs to the mapping below the list.
	if n := len(d.levels); n > 1 && d.levels[n-2].indent == t.indent {
		d.levels = d.levels[:n-1]
		return true
	}
	if r, ok := d.repair(first - t.indent); ok {
		d.indentation(r.line, first, "; with %s it would fit", r.to)
		return false
	}
	end := trimEnd(d.text, first, lineEnd(d.text, first))
	d.report(first, end, first, "this line stands among the entries of a list but does not begin with -").
		WithHint("a key of the mapping around the list is indented less")

	return false
}

// deeper reads a line that is indented deeper than an entry with a value: the text goes on, or the indentation is wrong.
func (d *doctor) deeper(line, first int) bool {
	t := d.top()
	if t.text && plainColon(d.text, first, lineEnd(d.text, first)) < 0 {
		d.i = nextLine(d.text, first)
		return false
	}
	d.misplaced(line, first, *t)

	return false
}

func (d *doctor) indentOf(line int) int {
	n := 0
	for line+n < len(d.text) && d.text[line+n] == ' ' {
		n++
	}

	return n
}

// misplaced reports that a line does not stand where it should, beside the entries of a level: the line that must be moved
// if there is one such, else the line itself or the level's first line if that is the odd one out.
func (d *doctor) misplaced(line, first int, other level) {
	indent := first - line
	if r, ok := d.repair(line); ok {
		d.indentation(r.line, first, "; with %s it would fit", r.to)
		return
	}
	if d.blamesOther(line, indent, other) {
		d.indentation(other.start, first, ", the lines after it by %s", indent)
		return
	}
	d.indentation(line, first, ", the entries before it by %s", other.indent)
}

// indentation reports that the line at offset line is indented otherwise than it should be.
func (d *doctor) indentation(line, limit int, rest string, other int) {
	n := d.indentOf(line)
	end := trimEnd(d.text, line, lineEnd(d.text, line))
	d.report(line+n, end, limit, "this line is indented by %s"+rest, spaces(n), spaces(other)).
		WithHint("entries of one mapping or list stand below each other")
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}

	return fmt.Sprintf("%d spaces", n)
}

// blamesOther weighs a line at an indentation against a level: how many lines of the block stand at the one and at the
// other; if as many do, the odd number of spaces is wrong.
func (d *doctor) blamesOther(line, indent int, other level) bool {
	if other.entries > 1 {
		return false
	}
	here, there := 0, other.entries
	bound := min(indent, other.indent)
	for i := line; i < len(d.text); i = nextLine(d.text, i) {
		if i+d.indentOf(i) == lineEnd(d.text, i) {
			continue
		}
		in := d.indentOf(i)
		switch {
		case in == indent:
			here++
		case in == other.indent:
			there++
		case in < bound:
			i = len(d.text)
		}
	}
	if here == there {
		return other.indent%2 != 0 && indent%2 == 0
	}

	return here > there
}
