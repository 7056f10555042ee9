package diag

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// TextOptions configure [Text].
type TextOptions struct {
	// Path returns the path to print for a [source.File.Path], usually relative to the working
	// directory; nil prints it unchanged. Paths are printed with forward slashes.
	Path func(path string) string
	// Colour uses the terminal's colours.
	Colour bool
	// Columns is the width of the terminal; 0: it is none. Messages are broken between words there,
	// and lines of a source file are cut around the position.
	Columns int
	// Fit breaks a text into lines of so many columns.
	Fit func(text string, columns int) string
}

// Text writes the diagnostics for a person, in the order given: position, message and name of each
// on one line that editors and CI systems can parse, then the source with carets below the text and
// the hint beside them, then the notes. An unknown position is left out. A span with a file and a
// negative start means the file as a whole: its path is printed without any text.
//
// Carets are aligned below multi-byte text, wide runes and tabs. Lines longer than 120 columns, or
// than the terminal, are cut around the position. Text of a source file can neither control the
// terminal nor reorder the text around it: control characters and direction marks are printed as
// symbols. The only errors are those of w.
func Text(w io.Writer, findings []*Diagnostic, o TextOptions) error {
	p := &printer{w: bufio.NewWriter(w), o: o}
	for _, d := range findings {
		p.finding(d)
	}

	return p.w.Flush()
}

// printer writes findings; errors of w stay in its buffer until Flush.
type printer struct {
	w *bufio.Writer
	o TextOptions
}

// The colours of a terminal.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	faint  = "\x1b[2m"
	plain  = "\x1b[0m"
)

func (p *printer) finding(d *Diagnostic) {
	colour := red
	if d.Severity == Warning {
		colour = yellow
	}
	p.line(p.head(d.Span, d.Severity.String(), colour, d.Message) + " " + p.paint(faint, "["+d.Check.Name+"]"))

	switch {
	case hasText(d.Span):
		p.source(excerpt(d.Span, p.room(d.Span)), colour, defuse(d.Hint))
	case d.Hint != "":
		p.hint(colour, defuse(d.Hint))
	}

	for _, note := range d.Related {
		p.line(p.head(note.Span, "note", cyan, note.Message))
	}
}

// head returns `file:line:col: label: message`, with as much of the place as is known.
func (p *printer) head(span source.Span, label, colour, message string) string {
	text := p.paint(colour, label+":") + " " + defuse(message)
	if place := place(span, p.o.Path); place != "" {
		text = p.paint(bold, place+":") + " " + text
	}

	return text
}

// hint writes a hint on a line of its own.
func (p *printer) hint(colour, text string) { p.line("   = " + p.paint(colour, text)) }

// line writes a line of prose.
func (p *printer) line(text string) { fmt.Fprintln(p.w, p.fitted(text)) }

func (p *printer) fitted(text string) string {
	if p.o.Columns == 0 {
		return text
	}

	return p.o.Fit(text, p.o.Columns)
}

// room returns how many columns lines of a place have, beside their numbers and a mark where they
// are cut.
func (p *printer) room(span source.Span) int {
	if p.o.Columns == 0 {
		return maxColumns
	}
	beside := len(fmt.Sprintf(" %d | ", span.EndPos().Line)) + 1

	return max(minColumns, min(maxColumns, p.o.Columns-beside))
}

// Line returns one line for a person: `file:line:col: label: message`, with the known parts of the
// position. path is as in [TextOptions], and control characters in text are replaced as in [Text].
func Line(span source.Span, label, message string, path func(string) string) string {
	return (&printer{o: TextOptions{Path: path}}).head(span, label, "", message)
}

// source writes lines with their numbers, the carets below each, and the hint beside the last
// carets.
func (p *printer) source(shown []underlined, colour, hint string) {
	width := len(fmt.Sprint(shown[len(shown)-1].number))
	empty := p.paint(faint, strings.Repeat(" ", width+2)+"|")

	fmt.Fprintln(p.w, empty)
	for i, u := range shown {
		if u.gap {
			fmt.Fprintln(p.w, p.paint(faint, strings.Repeat(" ", width-1)+"..."))
		}
		number := p.paint(faint, fmt.Sprintf(" %*d |", width, u.number))
		if u.text == "" {
			fmt.Fprintln(p.w, number)
		} else {
			fmt.Fprintf(p.w, "%s %s\n", number, u.text)
		}

		marks := strings.Repeat("^", u.carets)
		line := func(marks string) string {
			return empty + " " + strings.Repeat(" ", u.indent) + p.paint(colour, marks)
		}
		if i < len(shown)-1 || hint == "" {
			fmt.Fprintln(p.w, line(marks))
		} else if beside := line(marks + " " + hint); p.fitted(beside) == beside {
			fmt.Fprintln(p.w, beside)
		} else {
			fmt.Fprintln(p.w, line(marks))
			p.hint(colour, hint)
		}
	}
}

func (p *printer) paint(colour, text string) string {
	if !p.o.Colour {
		return text
	}

	return colour + text + plain
}

// hasText reports whether span is a place in a file, not the file as a whole.
func hasText(span source.Span) bool { return span.IsValid() && span.Start >= 0 }

// place returns `file:line:col`, as much of it as is known.
func place(span source.Span, path func(string) string) string {
	if !span.IsValid() {
		return ""
	}
	name := defuse(printed(span.File, path))
	if !hasText(span) {
		return name
	}
	pos := span.Pos()

	return fmt.Sprintf("%s:%d:%d", name, pos.Line, pos.Column)
}

// printed returns the path of f as it is shown.
func printed(f *source.File, path func(string) string) string {
	name := f.Path
	if path != nil {
		name = path(name)
	}

	return filepath.ToSlash(name)
}

// lines returns what a report says about d that is in one text: the message, the hint, and the
// notes for which own reports true, each on a line of its own. Line breaks and what else could
// disturb a line are shown as symbols.
func (d *Diagnostic) lines(path func(string) string, own func(Related) bool) string {
	all := []string{defuse(d.Message)}
	if d.Hint != "" {
		all = append(all, defuse(d.Hint))
	}
	for _, note := range d.Related {
		if !own(note) {
			continue
		}
		all = append(all, Line(note.Span, "note", note.Message, path))
	}

	return strings.Join(all, "\n")
}
