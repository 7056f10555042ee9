package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// GitHub writes the diagnostics as workflow commands, one a line, in the given order. GitHub
// Actions shows them as annotations of the changed files. Hint and notes are further lines of the
// annotation. Lines are 1-based, columns are 1-based runes, and ends are inclusive; a span over
// several lines has no columns, because GitHub does not accept them. path is as in [TextOptions].
// Only w causes errors.
func GitHub(w io.Writer, findings []*Diagnostic, path func(string) string) error {
	b := bufio.NewWriter(w)
	for _, d := range findings {
		fmt.Fprintf(b, "::%s %s::%s\n", d.Severity, annotationProperties(d, path), commandData.Replace(
			d.reportLines(path, func(Related) bool { return true })))
	}

	return b.Flush()
}

// The escapes of separators in a workflow command: more in properties than in the text.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotationProperties returns the properties of a workflow command: the known parts of the
// position, and the title.
func annotationProperties(d *Diagnostic, path func(string) string) string {
	var properties []string
	set := func(name string, value any) {
		properties = append(properties, name+"="+commandProperty.Replace(fmt.Sprint(value)))
	}
	if d.Span.IsValid() {
		set("file", displayPath(d.Span.File, path))
	}
	if hasText(d.Span) {
		start, last := d.Span.Pos(), lastPosition(d.Span)
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

// lastPosition returns the position of the last rune of span that is not white space, or of its
// start if there is none.
func lastPosition(span source.Span) source.Pos {
	text := strings.TrimRight(span.Text(), " \t\r\n")
	if text == "" {
		return span.Pos()
	}
	_, size := utf8.DecodeLastRuneInString(text)

	return span.File.Pos(span.Start + len(text) - size)
}
