package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// What the schemas say of fields that are written at another place.
const (
	fieldsAtTop = "write its fields at the top level of the frontmatter"
	fieldsBelow = "write it below call: "
)

// run is the unused fields of a mapping that are to be written below another one, if they follow each other.
type run struct {
	first   int
	paths   [][]string
	finding *diag.Diagnostic
	// broken says that another field is between them.
	broken bool
}

func (r *run) add(i int, d *diag.Diagnostic) {
	path, ok := strings.CutPrefix(d.Hint, fieldsBelow)
	if !ok {
		return
	}
	if r.finding == nil {
		r.first, r.finding = i, d
	}
	r.broken = r.broken || i != r.first+len(r.paths)
	r.paths = append(r.paths, strings.Split(path, "."))
}

// fix adds to the first of the fields the fix that indents them below their parents, where it is certain what their parents hold: each
// field is a line, and a parent is absent, or a line without a value just before them.
func (r *run) fix(n *yamldoc.Node) {
	if r.finding == nil || r.broken {
		return
	}
	in := indenter{mapping: n}
	if r.first > 0 {
		in.openBefore(n.Fields[r.first-1])
	}
	for i, path := range r.paths {
		if !in.field(n.Fields[r.first+i], path) {
			return
		}
	}
	if !in.complete() {
		return
	}
	message := "indent it below " + r.paths[0][0]
	if len(r.paths) > 1 {
		message = "indent it and the fields after it below " + r.paths[0][0]
	}
	edit := diag.Edit{Span: in.lines, New: in.text.String()}
	r.finding.Fixes = append(r.finding.Fixes, diag.Fix{Message: message, Edits: []diag.Edit{edit}})
}

// indenter writes the lines of fields below their parents.
type indenter struct {
	mapping *yamldoc.Node
	lines   source.Span
	text    bytes.Buffer
	// open is the path of the mapping that a line of the next deeper level would belong to, written the parents that have had lines.
	open    []string
	written []string
	// empty says that the last line has no value, so that a field below it has to follow.
	empty bool
}

// openBefore takes a line without a value before the fields for their parent.
func (in *indenter) openBefore(f *yamldoc.Field) {
	if _, ok := wholeLines(f); ok && f.Value.Kind == yamldoc.Null {
		in.open, in.written = []string{f.Key.Text}, []string{f.Key.Text}
	}
}

// field writes the line of a field; ok is false if it is not certain where that belongs.
func (in *indenter) field(f *yamldoc.Field, path []string) (ok bool) {
	line, ok := lineOf(f)
	if !ok || in.lines.IsValid() && in.lines.End != line.Start {
		return false
	}
	if !in.lines.IsValid() {
		in.lines = line
	}
	in.lines.End = line.End

	parents := path[:len(path)-1]
	if in.empty && !slices.Equal(in.open, parents) {
		return false
	}
	in.empty = false
	for i, parent := range parents {
		if i < len(in.open) && in.open[i] == parent {
			continue
		}
		if in.open = in.open[:min(i, len(in.open))]; len(in.open) < i || slices.Contains(in.written, parent) || in.mapping.Get(parent) != nil {
			return false
		}
		in.header(i, parent, line)
	}
	in.open = in.open[:len(parents)]

	in.text.WriteString(strings.Repeat("  ", len(parents)) + line.Text())
	if f.Value.Kind == yamldoc.Null {
		in.open, in.empty = append(in.open, f.Key.Text), true
		in.written = append(in.written, f.Key.Text)
	}

	return true
}

// header writes the line of a parent that is absent, with the line end of the lines below it.
func (in *indenter) header(depth int, parent string, line source.Span) {
	end := "\n"
	if strings.HasSuffix(line.Text(), "\r\n") {
		end = "\r\n"
	}
	in.text.WriteString(strings.Repeat("  ", depth) + parent + ":" + end)
	in.open, in.written = append(in.open, parent), append(in.written, parent)
}

func (in *indenter) complete() bool { return in.lines.IsValid() && !in.empty }

// lineOf returns the line of a field that begins it and has its whole value in it.
func lineOf(f *yamldoc.Field) (line source.Span, ok bool) {
	at, content := f.Key.Span, f.Key.Span.File.Bytes
	end := bytes.IndexByte(content[at.End:], '\n')
	if end < 0 || at.Start > 0 && content[at.Start-1] != '\n' {
		return source.Span{}, false
	}
	line = source.Span{File: at.File, Start: at.Start, End: at.End + end + 1}
	if f.Value.Kind == yamldoc.Null {
		_, ok = wholeLines(f)
		return line, ok
	}
	value := f.Value.Span

	return line, value.Start >= line.Start && value.End <= line.End
}
