package diag

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

const (
	// maxColumns is the largest number of printed columns of a source line; a longer line is cut
	// around the position. On a narrow terminal it is less, but at least minColumns.
	maxColumns = 120
	minColumns = 20
	// leadColumns is how much of a cut line is shown before the position; at most a third of the
	// shown part.
	leadColumns = 40
	// maxLines is how many lines of a span are printed; of a longer one the first ones and the
	// last.
	maxLines = 4
)

// An underlined line is a printed source line and the line of carets below it.
type underlined struct {
	number int
	text   string
	// indent and carets are columns: the start of the carets below text, and their number.
	indent, carets int
	// gap is set if lines were omitted before this one.
	gap bool
}

// excerptLines returns the lines of span, each of at most room columns and a mark where it was cut.
// Trailing white space and blank lines are not underlined; an empty span has one caret.
func excerptLines(span source.Span, room int) []underlined {
	content := span.File.Bytes
	start := min(span.Start, len(content))
	end := max(min(span.End, len(content)), start)
	end = start + len(bytes.TrimRight(content[start:end], " \t\r\n"))

	first := span.File.Pos(start).Line
	last := span.File.Pos(end).Line
	if last-first < maxLines {
		return underlineLines(span.File, first, last, start, end, room)
	}
	shown := underlineLines(span.File, first, first+maxLines-2, start, end, room)
	tail := underlineLines(span.File, last, last, start, end, room)
	tail[0].gap = true

	return append(shown, tail...)
}

func underlineLines(f *source.File, first, last, start, end, room int) []underlined {
	var shown []underlined
	for number := first; number <= last; number++ {
		shown = append(shown, underlineLine(f, number, start, end, room))
	}

	return shown
}

// underlineLine returns a line with carets below its part of [start, end).
func underlineLine(f *source.File, number, start, end, room int) underlined {
	from, to := lineBounds(f, number)
	if start < from { // the span began on a previous line: the indentation is not part of it
		start = from + len(f.Bytes[from:to]) - len(bytes.TrimLeft(f.Bytes[from:to], " \t"))
	}
	start, end = min(start, to), min(end, to)
	end = max(end, start)

	from, to, cutLeft, cutRight := narrowLine(f.Bytes, from, to, start)
	shown := toCells(f.Redacted(from, to), from)
	left := firstShownCell(shown, start, end, room, cutLeft)
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

// lineBounds returns the start and the end of a line, without a byte order mark and a line break.
func lineBounds(f *source.File, number int) (from, to int) {
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

// narrowLine narrows the line [from, to) to the part that could be shown around start, so that the
// cost does not depend on the length of the line.
func narrowLine(content []byte, from, to, start int) (newFrom, newTo int, cutLeft, cutRight bool) {
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

// firstShownCell returns the first cell to show: 0 if [start, end) is near the beginning of the
// line, else one that leaves leadColumns before start.
func firstShownCell(shown []cell, start, end, room int, cut bool) int {
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
