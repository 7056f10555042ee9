package validate

import (
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
	// open is the path of the parent that the last line belongs to or is, written are the parents that have a line.
	var open, written []string
	if r.first > 0 {
		before := n.Fields[r.first-1]
		if _, isBare := wholeLines(before); isBare && before.Value.Kind == yamldoc.Null {
			open, written = []string{before.Key.Text}, []string{before.Key.Text}
		}
	}
	var text strings.Builder
	var lines source.Span
	isEmpty := false // the last line has no value, so that a field below it has to follow
	for i, path := range r.paths {
		f := n.Fields[r.first+i]
		line, ok := lineOf(f)
		parents := path[:len(path)-1]
		if !ok || i > 0 && line.Start != lines.End || isEmpty && !slices.Equal(open, parents) {
			return
		}
		if i == 0 {
			lines = line
		}
		lines.End = line.End
		for depth, parent := range parents {
			if depth < len(open) && open[depth] == parent {
				continue
			}
			if slices.Contains(written, parent) || n.Get(parent) != nil {
				return
			}
			open, written = open[:depth], append(written, parent)
			end := line.Text()[len(strings.TrimRight(line.Text(), "\r\n")):]
			text.WriteString(strings.Repeat("  ", depth) + parent + ":" + end)
			open = append(open, parent)
		}
		text.WriteString(strings.Repeat("  ", len(parents)) + line.Text())
		open, isEmpty = open[:len(parents)], f.Value.Kind == yamldoc.Null
		if isEmpty {
			open, written = append(open, f.Key.Text), append(written, f.Key.Text)
		}
	}
	if isEmpty {
		return
	}
	message := "indent it below " + r.paths[0][0]
	if len(r.paths) > 1 {
		message = "indent it and the fields after it below " + r.paths[0][0]
	}
	r.finding.Fixes = append(r.finding.Fixes, diag.Fix{Message: message, Edits: []diag.Edit{{Span: lines, New: text.String()}}})
}

// lineOf returns the line of a field that begins it and has its whole value in it.
func lineOf(f *yamldoc.Field) (line source.Span, ok bool) {
	line, isBare := wholeLines(f)
	value := f.Value.Span
	isInside := value.Start >= line.Start && value.End <= line.End
	if f.Value.Kind == yamldoc.Null {
		isInside = isBare
	}

	return line, isInside && line.IsValid() && line.Start == f.Key.Span.Start
}
