package check

import (
	"regexp"
	"strings"
)

var (
	// keyHeading is the heading of a column of keys.
	keyHeading = regexp.MustCompile("(?i)^[*_`]*(?:(?:finish|the|your|with|exact)[`*]* +)*keys?[*_`]*$")
	// belowHeadings is the line below the headings of a table.
	belowHeadings = regexp.MustCompile(`^[ \t]*\|[ \t:|-]*-[ \t:|-]*\r?$`)
)

// inTable reads the column of a table in whose headings the word key at start stands, if it stands in one.
func (s *keyScanner) inTable(start int) bool {
	from := max(0, start-maxSentence)
	from += strings.LastIndexByte(s.text[from:start], '\n') + 1
	headings, rest, _ := strings.Cut(s.text[from:], "\n")
	below, rows, _ := strings.Cut(rest, "\n")
	bars := strings.Count(s.text[from:start], "|")
	cell := cellOf(headings, bars)
	if !isRow(headings) || !keyHeading.MatchString(headings[cell.start:cell.end]) || !belowHeadings.MatchString(below) {
		return false
	}

	var values []namedKey
	at := len(s.text) - len(rows)
	for line := range strings.Lines(rows) {
		if !isRow(line) {
			break
		}
		cell := cellOf(line, bars)
		values = append(values, s.cell(at+cell.start, at+cell.end)...)
		at += len(line)
	}
	s.headings = from + len(headings)
	s.addList(values)

	return true
}

func isRow(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "|") }

// tableCell is where a cell stands in its line, without the spaces around it.
type tableCell struct{ start, end int }

// cellOf returns the cell of a line behind so many bars.
func cellOf(line string, bars int) tableCell {
	start := 0
	for range bars {
		bar := strings.IndexByte(line[start:], '|')
		if bar < 0 {
			return tableCell{len(line), len(line)} // a short row
		}
		start += bar + 1
	}
	text, _, _ := strings.Cut(line[start:], "|")
	start += len(text) - len(strings.TrimLeft(text, " \t"))

	return tableCell{start, start + len(strings.TrimSpace(text))}
}

// cell returns the keys that stand in a cell, if it has nothing else.
func (s *keyScanner) cell(start, end int) []namedKey {
	cell := keyScanner{text: s.text[:end]}
	if values, next := cell.quoted(start, or); len(values) > 0 && next == end {
		return values
	}
	if value, ok := cell.bare(start); ok && value.end == end {
		return []namedKey{value}
	}

	return nil
}
