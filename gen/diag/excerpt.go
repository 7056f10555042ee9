package diag

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

const (
	// maxColumns is how many columns of a source line are printed at most; a longer line is cut
	// around the place. On a terminal that is narrower it is less, but never below minColumns.
	maxColumns = 120
	minColumns = 20
	// leadColumns is how much of a cut line is shown before the place; at most a third of what is
	// shown.
	leadColumns = 40
	// maxLines is how many lines of a place are printed; of a longer one the first ones and the
	// last.
	maxLines = 4
)

// An underlined line is a printed source line and the line of carets below it.
type underlined struct {
	number int
	text   string
	// indent and carets are columns: where the carets begin below text, and how many there are.
	indent, carets int
	// gap says that lines were left out before this one.
	gap bool
}

// excerpt returns the lines under span, of each at most room columns and a mark where it was cut.
// White space at the end of a place is not underlined, nor are lines of it that hold nothing else;
// an empty place has one caret.
func excerpt(span source.Span, room int) []underlined {
	content := span.File.Bytes
	start := min(span.Start, len(content))
	end := max(min(span.End, len(content)), start)
	end = start + len(bytes.TrimRight(content[start:end], " \t\r\n"))

	first := span.File.Pos(start).Line
	last := span.File.Pos(end).Line
	if last-first < maxLines {
		return lines(span.File, first, last, start, end, room)
	}
	shown := lines(span.File, first, first+maxLines-2, start, end, room)
	tail := lines(span.File, last, last, start, end, room)
	tail[0].gap = true

	return append(shown, tail...)
}

func lines(f *source.File, first, last, start, end, room int) []underlined {
	var shown []underlined
	for number := first; number <= last; number++ {
		shown = append(shown, underline(f, number, start, end, room))
	}

	return shown
}

// underline shows the line called number with carets below the part of [start, end) that it holds.
func underline(f *source.File, number, start, end, room int) underlined {
	from, to := lineBytes(f, number)
	if start < from { // the place began on a line before: the indentation is not part of it
		start = from + len(f.Bytes[from:to]) - len(bytes.TrimLeft(f.Bytes[from:to], " \t"))
	}
	start, end = min(start, to), min(end, to)
	end = max(end, start)

	from, to, cutLeft, cutRight := window(f.Bytes, from, to, start)
	shown := cells(f.Redacted(from, to), from)
	left := leftEdge(shown, start, end, room, cutLeft)
	cutLeft = cutLeft || left > 0

	u := underlined{number: number}
	var text strings.Builder
	column := 0
	if cutLeft {
		text.WriteString("…")
		column++
	}
	u.indent = -1
	for _, c := range shown[left:] {
		if column+c.width > room {
			cutRight = true
			break
		}
		if c.offset >= start && u.indent < 0 {
			u.indent = column
		}
		text.WriteString(c.text)
		column += c.width
		if c.offset >= start && c.offset < end {
			u.carets = column - u.indent
		}
	}
	if u.indent < 0 {
		u.indent = column
	}
	u.carets = max(u.carets, 1)
	u.text = strings.TrimRight(text.String(), " ")
	if cutRight {
		u.text += "…"
	}

	return u
}

// lineBytes returns where the line called number begins and ends, without a byte order mark and
// without its line break.
func lineBytes(f *source.File, number int) (from, to int) {
	from, to = f.LineStart(number), len(f.Bytes)
	if number < f.LineCount() {
		to = f.LineStart(number+1) - 1
	}
	if from == 0 && bytes.HasPrefix(f.Bytes, []byte("\ufeff")) {
		from = len("\ufeff")
	}
	if to > from && f.Bytes[to-1] == '\r' {
		to--
	}

	return from, max(from, to)
}

// window narrows the line [from, to) to what could be shown around start, so that a line of ten
// megabytes costs no more than a short one.
func window(content []byte, from, to, start int) (newFrom, newTo int, cutLeft, cutRight bool) {
	const reach = maxColumns * utf8.UTFMax
	newFrom, newTo = max(from, start-reach), min(to, start+reach)
	for newFrom > from && newFrom < start && !utf8.RuneStart(content[newFrom]) {
		newFrom++
	}
	for newTo < to && newTo > start && !utf8.RuneStart(content[newTo]) {
		newTo--
	}

	return newFrom, newTo, newFrom > from, newTo < to
}

// leftEdge returns the first cell to show: 0 where [start, end) fits beside the beginning of the
// line, else one that leaves leadColumns before start.
func leftEdge(shown []cell, start, end, room int, cut bool) int {
	column := 0
	for _, c := range shown {
		if c.offset >= end {
			break
		}
		column += c.width
	}
	if column < room && !cut {
		return 0
	}

	lead, left := 0, len(shown)
	for left > 0 && (shown[left-1].offset >= start || lead < min(leadColumns, room/3)) {
		left--
		if shown[left].offset < start {
			lead += shown[left].width
		}
	}

	return left
}
