package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// GitHub writes the diagnostics as workflow commands, one in a line, in the order given, which
// GitHub Actions shows as annotations of the changed files. Hint and notes are further lines of the
// annotation. Lines are 1-based, columns are 1-based runes, and ends are inclusive; a span over
// several lines has no columns, because GitHub does not accept them. path is as in [TextOptions].
// The only errors are those of w.
func GitHub(w io.Writer, findings []*Diagnostic, path func(string) string) error {
	b := bufio.NewWriter(w)
	for _, d := range findings {
		fmt.Fprintf(b, "::%s %s::%s\n", d.Severity, annotationPlace(d, path), commandData.Replace(
			d.lines(path, func(Related) bool { return true })))
	}

	return b.Flush()
}

// What separates the parts of a workflow command is escaped, in properties more than in the text.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotationPlace returns the properties of a workflow command: as much of the place as is known,
// and the title.
func annotationPlace(d *Diagnostic, path func(string) string) string {
	var properties []string
	set := func(name string, value any) {
		properties = append(properties, name+"="+commandProperty.Replace(fmt.Sprint(value)))
	}
	if d.Span.IsValid() {
		set("file", printed(d.Span.File, path))
	}
	if hasText(d.Span) {
		start, last := d.Span.Pos(), lastPos(d.Span)
		set("line", start.Line)
		if start.Line == last.Line {
			set("col", start.Column)
		}
		set("endLine", last.Line)
		if start.Line == last.Line {
			set("endColumn", last.Column)
		}
	}
	set("title", d.Check.Name)

	return strings.Join(properties, ",")
}

// lastPos returns the place of the last rune of span that is not white space; that of its start, if
// there is none.
func lastPos(span source.Span) source.Pos {
	text := strings.TrimRight(span.Text(), " \t\r\n")
	if text == "" {
		return span.Pos()
	}
	_, size := utf8.DecodeLastRuneInString(text)

	return span.File.Pos(span.Start + len(text) - size)
}
