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
	// Columns is the width of the terminal; 0 without a terminal. There messages are wrapped, and
	// lines of a source file are cut around the position.
	Columns int
	// Fit wraps a text to a number of columns.
	Fit func(text string, columns int) string
}

// Text writes the diagnostics for a person, in the given order. The position, message and name of
// each are on one line that editors and CI systems can parse. Below are the source with carets
// under the text, the hint next to them, and the notes. An unknown position is omitted. A span with
// a file and a negative start means the whole file: its path is printed without any text.
//
// Carets are aligned below multi-byte text, wide runes and tabs. Lines longer than 120 columns, or
// than the terminal, are cut around the position. Text of a source file can neither control the
// terminal nor reorder the text around it: control characters and direction marks are printed as
// symbols. Only w causes errors.
func Text(w io.Writer, findings []*Diagnostic, o TextOptions) error {
	p := &printer{w: bufio.NewWriter(w), o: o}
	for _, d := range findings {
		p.printDiagnostic(d)
	}

	return p.w.Flush()
}

// printer writes diagnostics; errors of w stay in its buffer until Flush.
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

func (p *printer) printDiagnostic(d *Diagnostic) {
	colour := red
	if d.Severity == Warning {
		colour = yellow
	}
	p.printLine(p.formatHead(d.Span, d.Severity.String(), colour, d.Message) + " " + p.colourText(faint, "["+d.Check.Name+"]"))

	switch {
	case hasText(d.Span):
		p.printExcerpt(excerptLines(d.Span, p.excerptWidth(d.Span)), colour, replaceUnsafe(d.Hint))
	case d.Hint != "":
		p.printHint(colour, replaceUnsafe(d.Hint))
	}

	for _, note := range d.Related {
		p.printLine(p.formatHead(note.Span, "note", cyan, note.Message))
	}
}

// formatHead returns `file:line:col: label: message`, with the known parts of the position.
func (p *printer) formatHead(span source.Span, label, colour, message string) string {
	text := p.colourText(colour, label+":") + " " + replaceUnsafe(message)
	if place := formatPosition(span, p.o.Path); place != "" {
		text = p.colourText(bold, place+":") + " " + text
	}

	return text
}

// printHint prints a hint on a line of its own.
func (p *printer) printHint(colour, text string) { p.printLine("   = " + p.colourText(colour, text)) }

// printLine prints a line of prose.
func (p *printer) printLine(text string) { fmt.Fprintln(p.w, p.fitText(text)) }

func (p *printer) fitText(text string) string {
	if p.o.Columns == 0 {
		return text
	}

	return p.o.Fit(text, p.o.Columns)
}

// excerptWidth returns the number of columns for source lines, without their numbers and a mark for
// cuts.
func (p *printer) excerptWidth(span source.Span) int {
	if p.o.Columns == 0 {
		return maxColumns
	}
	beside := len(fmt.Sprintf(" %d | ", span.EndPos().Line)) + 1

	return max(minColumns, min(maxColumns, p.o.Columns-beside))
}

// Line returns one line for a person: `file:line:col: label: message`, with the known parts of the
// position. path is as in [TextOptions], and control characters in text are replaced as in [Text].
func Line(span source.Span, label, message string, path func(string) string) string {
	return (&printer{o: TextOptions{Path: path}}).formatHead(span, label, "", message)
}

// printExcerpt prints lines with their numbers, the carets below each, and the hint next to the
// last carets.
func (p *printer) printExcerpt(shown []underlined, colour, hint string) {
	width := len(fmt.Sprint(shown[len(shown)-1].number))
	empty := p.colourText(faint, strings.Repeat(" ", width+2)+"|")

	fmt.Fprintln(p.w, empty)
	for i, u := range shown {
		if u.gap {
			fmt.Fprintln(p.w, p.colourText(faint, strings.Repeat(" ", width-1)+"..."))
		}
		number := p.colourText(faint, fmt.Sprintf(" %*d |", width, u.number))
		if u.text == "" {
			fmt.Fprintln(p.w, number)
		} else {
			fmt.Fprintf(p.w, "%s %s\n", number, u.text)
		}

		marks := strings.Repeat("^", u.carets)
		line := func(marks string) string {
			return empty + " " + strings.Repeat(" ", u.indent) + p.colourText(colour, marks)
		}
		if i < len(shown)-1 || hint == "" {
			fmt.Fprintln(p.w, line(marks))
		} else if beside := line(marks + " " + hint); p.fitText(beside) == beside {
			fmt.Fprintln(p.w, beside)
		} else {
			fmt.Fprintln(p.w, line(marks))
			p.printHint(colour, hint)
		}
	}
}

func (p *printer) colourText(colour, text string) string {
	if !p.o.Colour {
		return text
	}

	return colour + text + plain
}

// hasText reports whether span is a part of a file, not the whole file.
func hasText(span source.Span) bool { return span.IsValid() && span.Start >= 0 }

// formatPosition returns the known parts of `file:line:col`.
func formatPosition(span source.Span, path func(string) string) string {
	if !span.IsValid() {
		return ""
	}
	name := replaceUnsafe(displayPath(span.File, path))
	if !hasText(span) {
		return name
	}
	pos := span.Pos()

	return fmt.Sprintf("%s:%d:%d", name, pos.Line, pos.Column)
}

// displayPath returns the path of f as it is printed.
func displayPath(f *source.File, path func(string) string) string {
	name := f.Path
	if path != nil {
		name = path(name)
	}

	return filepath.ToSlash(name)
}

// reportLines returns the lines of a report that is one text: the message, the hint, and the notes
// for which include is true. Line breaks and control characters are replaced by symbols.
func (d *Diagnostic) reportLines(path func(string) string, include func(Related) bool) string {
	all := []string{replaceUnsafe(d.Message)}
	if d.Hint != "" {
		all = append(all, replaceUnsafe(d.Hint))
	}
	for _, note := range d.Related {
		if !include(note) {
			continue
		}
		all = append(all, Line(note.Span, "note", note.Message, path))
	}

	return strings.Join(all, "\n")
}
