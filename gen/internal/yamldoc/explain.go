package yamldoc

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// explainSyntax returns the diagnostic for a text that the library refuses. The messages of the
// library often name no line or the wrong one. So explainer looks for usual mistakes. If it finds
// none, the diagnostic is on the first line at which the text becomes unreadable.
func explainSyntax(f *source.File, base int, text []byte, problem error) *diag.Diagnostic {
	limit := failureOffset(text)
	line := lineStart(text, limit)
	if len(strings.Trim(string(text[line:lineEnd(text, line)]), " \t")) == 0 {
		line = lastLineWithText(text, line)
	}
	span := lineSpan(f, base+line)
	if strings.Contains(problem.Error(), "exceeded max depth") {
		return diag.New(diag.Syntax, span, "values are nested more than 10000 deep")
	}
	d := &explainer{file: f, base: base, text: text, limit: max(line, min(limit, lineEnd(text, line)))}
	if found := d.explain(); found != nil {
		return found
	}

	return diag.New(diag.Syntax, span, "this line cannot be read as YAML").
		WithHint("check its indentation, colons, quotes and brackets")
}

// failureOffset returns the offset at which the library gives up: the mistake, or a few characters
// after it. It is the end of the shortest unreadable beginning of the text.
func failureOffset(text []byte) int {
	r := bytes.NewReader(text)
	_, _, _ = decode(byteByByte{r})

	return len(text) - r.Len()
}

// byteByByte returns single bytes, so that the library does not read ahead.
type byteByByte struct{ *bytes.Reader }

func (r byteByByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

func lineStart(text []byte, i int) int { return 1 + bytes.LastIndexAny(text[:i], "\r\n") }

// lastLineWithText returns the start of the last line before i that is not blank, or 0.
func lastLineWithText(text []byte, i int) int {
	return lineStart(text, len(bytes.TrimRight(text[:i], " \t\r\n")))
}

// explainer finds the mistake in a text that the library refuses. It changes one place at a time.
// If the library then reads beyond the line where it gave up, the place is the mistake. So
// explainer need not know which parts of the text are blocks, comments or values in brackets.
type explainer struct {
	file  *source.File
	base  int // offset of text in the file
	text  []byte
	limit int // offset up to which the library reads the text
	tried int // bytes of all changed texts
	// partly is true if the library need not read the rest of the text after a change, but only a
	// part of it.
	partly bool
}

const (
	lineWindow = 60      // the number of lines above the failing one that are examined
	mostPlaces = 200     // the maximum number of keys and values of a line
	mostTried  = 4 << 20 // the maximum number of bytes of changed texts
)

// explain returns the diagnostic of a usual mistake, or nil.
func (d *explainer) explain() *diag.Diagnostic {
	lines := []int{lineStart(d.text, d.limit)}
	for len(lines) < lineWindow && lines[0] > 0 {
		lines = append([]int{lineStart(d.text, lines[0]-1)}, lines...)
	}
	if next := nextLine(d.text, lines[len(lines)-1]); next < len(d.text) {
		lines = append(lines, next) // for a line that is only a tab, the library names the previous line
	}
	for _, d.partly = range []bool{false, true} {
		for _, try := range []func(line int) *diag.Diagnostic{d.explainMarks, d.explainValues, d.explainMissingColon} {
			for _, line := range lines {
				if found := try(line); found != nil {
					return found
				}
			}
		}
	}
	for i := len(lines) - 1; i >= max(0, len(lines)-repairLines); i-- {
		if found := d.explainIndentation(lines[i]); found != nil {
			return found
		}
	}

	return nil
}

func (d *explainer) span(start, end int) source.Span {
	return source.Span{File: d.file, Start: d.base + start, End: d.base + end}
}

func (d *explainer) report(start, end int, format string, args ...any) *diag.Diagnostic {
	return diag.New(diag.Syntax, d.span(start, end), format, args...)
}

// tryReplacement reports whether the library reads beyond the failing line if a place is replaced.
// It counts the bytes that it tries, and returns false at the limit.
func (d *explainer) tryReplacement(start, end int, by string) bool {
	d.tried += len(d.text)
	if d.tried > mostTried {
		return false
	}
	text := bytes.Join([][]byte{d.text[:start], []byte(by), d.text[end:]}, nil)
	_, _, err := decode(bytes.NewReader(text))
	if err == nil {
		return true
	}

	return d.partly && failureOffset(text)-len(by)+end-start > d.limit
}

// explainMarks looks for tabs and directives.
func (d *explainer) explainMarks(line int) *diag.Diagnostic {
	first, end := line+d.indentOf(line), lineEnd(d.text, line)
	rest := d.text[first:end]
	tabs := len(rest) - len(bytes.TrimLeft(rest, "\t"))
	isDirective := bytes.HasPrefix(d.text[line:end], []byte("%"))
	switch {
	case tabs > 0 && len(bytes.Trim(rest, " \t")) == 0 && d.tryReplacement(line, end, ""):
		return d.report(first, end, "this line holds a tab and nothing else").WithFix("empty the line", d.span(line, end), "")
	case tabs > 0 && slices.ContainsFunc([]int{0, 2, 4, 6, 8}, func(n int) bool { return d.tryReplacement(line, first+tabs, strings.Repeat(" ", n)) }):
		return d.report(first, first+tabs, "a tab cannot indent YAML").WithHint("use spaces")
	case !isDirective || !d.tryReplacement(line, end, ""):
		return nil
	case bytes.HasPrefix(rest, []byte("%YAML")):
		return d.report(line, trimEnd(d.text, line, end), "a version of YAML is not named here").
			WithHint("remove the line: YAML is read by version 1.2").
			WithFix("remove the line", d.span(line, nextLine(d.text, line)), "")
	}

	return d.report(line, trimEnd(d.text, line, end), "a text that begins with %% must be quoted")
}

// noColon matches a key and a value that cannot be a part of it.
var noColon = regexp.MustCompile(`^[\w.-]+[ \t]+[\[{"']`)

// explainMissingColon looks for a line that should be a field and has no colon.
func (d *explainer) explainMissingColon(line int) *diag.Diagnostic {
	start := line + d.indentOf(line)
	end := trimEnd(d.text, start, lineEnd(d.text, start))
	text := string(d.text[start:end])
	isField := plainColon(d.text, start, end) >= 0 && !noColon.MatchString(text)
	if text == "" || text[0] == '#' || strings.HasPrefix(text, "- ") || isField {
		return nil
	}
	if !d.tryReplacement(start, end, "") && !d.tryReplacement(start, end, "x:") {
		return nil
	}
	if header := d.blockAbove(line); header >= 0 {
		return d.reportOutdented(header, line)
	}
	if (text[0] == '"' || text[0] == '\'') && d.quoteEnd(start) < end {
		return d.reportTrailing(candidate{start: start, end: end}, d.quoteEnd(start))
	}
	if strings.IndexByte("]},", text[0]) >= 0 {
		return d.report(start, start+1, "%s closes nothing", text[:1])
	}

	return d.report(start, end, "this line is not a field: a colon is missing").
		WithHint("a field is written key: value, further lines of a text are indented deeper")
}

// explainIndentation explains the indentation of a line, or of one above it.
func (d *explainer) explainIndentation(line int) *diag.Diagnostic {
	if header := d.blockAbove(line); header >= 0 {
		return d.reportOutdented(header, line)
	}
	isEntry := func(i int) bool { return bytes.HasPrefix(d.text[i:], []byte("- ")) }
	first, above := line+d.indentOf(line), d.siblingAbove(line)
	isMixed := first < lineEnd(d.text, line) && above >= 0 && isEntry(first) != isEntry(above)
	if isMixed && isEntry(first) && d.text[trimEnd(d.text, above, lineEnd(d.text, above))-1] != ':' {
		return d.report(first, first+1, "a list entry is among the keys of a mapping").
			WithHint("indent it below the key that it belongs to")
	}
	if r, ok := d.findReindent(line); ok {
		n := d.indentOf(r.line)
		return d.report(r.line+n, trimEnd(d.text, r.line, lineEnd(d.text, r.line)), "this line is indented by %s; with %s it would fit",
			formatSpaces(n), formatSpaces(r.to)).WithHint("align the entries of one mapping or list")
	}
	if isMixed {
		return d.report(first, trimEnd(d.text, first, lineEnd(d.text, first)),
			"this line is among the entries of a list but does not begin with -").
			WithHint("a key of the mapping around the list is indented less")
	}

	return nil
}

// siblingAbove returns the start of the text of the next line above with the same indentation, or
// -1.
func (d *explainer) siblingAbove(line int) int {
	n := d.indentOf(line)
	for at := line; at > 0; {
		at = lineStart(d.text, at-1)
		switch in := d.indentOf(at); {
		case at+in == lineEnd(d.text, at), in > n:
		case in < n:
			return -1
		default:
			return at + in
		}
	}

	return -1
}

// blockAbove returns the line with | or > of the block from which a line is outdented, or -1.
func (d *explainer) blockAbove(line int) int {
	n := d.indentOf(line)
	for at := line; at > 0; {
		at = lineStart(d.text, at-1)
		text := bytes.TrimRight(d.text[at:lineEnd(d.text, at)], "+-123456789 \t")
		if d.indentOf(at) < n && len(text) > 0 {
			if c := text[len(text)-1]; c == '|' || c == '>' {
				return at
			}
			return -1
		}
	}

	return -1
}

// reportOutdented reports a line that is indented less than its block of text, and more than the
// surrounding collection.
func (d *explainer) reportOutdented(header, line int) *diag.Diagnostic {
	first := nextLine(d.text, header)
	for first+d.indentOf(first) == lineEnd(d.text, first) && first < line {
		first = nextLine(d.text, first)
	}
	n, of := d.indentOf(line), d.indentOf(first)
	if n >= of {
		return nil
	}

	return d.report(line+n, trimEnd(d.text, line, lineEnd(d.text, line)),
		"this line of the text is indented by %s, its first line by %s", formatSpaces(n), formatSpaces(of)).
		Note(d.span(first+of, trimEnd(d.text, first, lineEnd(d.text, first))), "the text begins here")
}

func (d *explainer) indentOf(line int) int {
	return len(d.text[line:]) - len(bytes.TrimLeft(d.text[line:], " "))
}

func formatSpaces(n int) string {
	if n == 1 {
		return "1 space"
	}

	return fmt.Sprintf("%d spaces", n)
}

func trimEnd(text []byte, start, end int) int {
	return start + len(bytes.TrimRight(text[start:end], " \t"))
}

// plainColon returns the offset of the first colon in [i, end) that ends a key, or -1.
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
