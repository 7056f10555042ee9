package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// unused warns of fields that the format documents and this document does not use.
func (r *reporter) unused(schema node, n *yamldoc.Node) {
	schema = schema.resolved()
	if r.format.byKind {
		r.unusedInside(schema, n)
		return
	}
	if n.Kind != yamldoc.Map {
		return
	}
	var moved run
	for i, f := range n.Fields {
		p := schema.property(f.Key.Text)
		if p.value == nil {
			p = schema.child("additionalProperties") // what each entry of a mapping is, such as a role
		}
		if p.value == nil {
			continue
		}
		if d := r.unusedField(p, f); d != nil {
			r.add(d)
			moved.add(i, p, d)
			continue
		}
		r.unused(p, f.Value)
	}
	moved.fix(n)
}

// dotted reports a field whose name is the path of one that is not used, such as tama.depends.apt. Without a value it can be removed.
func (r *reporter) dotted(schema node, f *yamldoc.Field) *diag.Diagnostic {
	words := strings.Split(f.Key.Text, ".")
	for i := range words[:len(words)-1] {
		schema = schema.property(words[i])
		p := schema.property(words[i+1])
		if instead := p.text("x-agentc-unused"); instead != "" {
			d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", f.Key.Text).WithHint("%s", instead)

			return removable(lowered(d, p, f), f)
		}
	}

	return nil
}

// removable adds the fix that removes a field without a value.
func removable(d *diag.Diagnostic, f *yamldoc.Field) *diag.Diagnostic {
	if line, ok := wholeLines(f); ok && f.Value.Kind == yamldoc.Null {
		d.Fixes = append(d.Fixes, diag.Fix{Message: "remove it", Edits: []diag.Edit{{Span: line}}})
	}

	return d
}

// wholeLines returns the line of a field without a value of more lines; ok is false if something else is on it.
func wholeLines(f *yamldoc.Field) (line source.Span, ok bool) {
	at := f.Key.Span
	content := at.File.Bytes
	start := bytes.LastIndexByte(content[:at.Start], '\n') + 1
	end := bytes.IndexByte(content[at.End:], '\n')
	if end < 0 || len(bytes.TrimSpace(content[start:at.Start])) > 0 {
		return source.Span{}, false
	}
	end += at.End + 1
	rest, _, _ := bytes.Cut(content[at.End:end], []byte("#"))
	value := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(rest), []byte(":")))

	return source.Span{File: at.File, Start: start, End: end}, len(value) == 0 || string(value) == "~" || string(value) == "null"
}

// lowered makes the diagnostic of a field that is not read a warning if the field does not change what runs: the schema calls it
// harmless, or it has no value, or an empty one.
func lowered(d *diag.Diagnostic, p node, f *yamldoc.Field) *diag.Diagnostic {
	if harmless, _ := p.value["x-agentc-harmless"].(bool); harmless || isEmpty(f.Value) {
		return d.Warn()
	}

	return d
}

func isEmpty(n *yamldoc.Node) bool {
	if n.IsNull() {
		return true
	}
	switch n.Kind {
	case yamldoc.Seq:
		return len(n.Items) == 0
	case yamldoc.Map:
		return len(n.Fields) == 0
	}

	return false
}

// unusedField returns the diagnostic of a field that the document does not use; nil for any other field.
func (r *reporter) unusedField(p node, f *yamldoc.Field) *diag.Diagnostic {
	d := r.unusedHere(p, f)
	if d == nil {
		return nil
	}
	if instead := p.text("x-agentc-instead"); instead != "" {
		d.WithHint("%s", instead)
	}

	return lowered(d, p, f)
}

func (r *reporter) unusedHere(p node, f *yamldoc.Field) *diag.Diagnostic {
	name := f.Key.Text
	if instead := p.text("x-agentc-unused"); instead != "" {
		d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", name).WithHint("%s", instead)
		if path, isBelow := strings.CutPrefix(instead, fieldsBelow); isBelow {
			d.WithHint("%s", r.howBelow(strings.Split(path, "."), f.Value))
		}
		if instead == fieldsAtTop {
			return removable(d, f)
		}
		return d
	}
	patterns := p.strings("x-agentc-patterns")
	if patterns == nil || !r.patternKnown {
		return nil
	}
	if !slices.Contains(patterns, r.pattern) {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q", name, r.pattern).
			Note(source.Span{}, "it is used by %s", list(patterns))
	}
	needs, _ := p.value["x-agentc-needs"].(map[string]any)
	if other, _ := needs[r.pattern].(string); other != "" && r.root.Field(other) == nil {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q without %s", name, r.pattern, other)
	}

	return nil
}

// howBelow says how to write a value at a path such as call.model.role beside what the document has on the way to it.
func (r *reporter) howBelow(path []string, value *yamldoc.Node) string {
	owner, depth := r.root, 0
	for depth < len(path)-1 && !isEmpty(owner.Value(path[depth])) && owner.Value(path[depth]).Kind == yamldoc.Map {
		owner = owner.Value(path[depth])
		depth++
	}
	line := lineAt(strings.Join(path[depth:], "."), value)
	above, name := strings.Join(path[:depth], "."), path[depth]
	text, isText := owner.Value(name).Scalar()
	switch {
	case depth == 0:
		return "write " + line
	case owner.Field(name) == nil:
		return "add " + line + " to " + above
	case depth == len(path)-1:
		return "remove it: " + above + " has " + name + " already"
	case isText && strings.Contains(text, ":"):
		return "write " + name + ": {name: " + owner.Value(name).Span.Text() + ", " + lineAt(path[depth+1], value) + "} in " + above
	case isText && text != "":
		return "write " + name + ": {role: " + owner.Value(name).Span.Text() + ", " + lineAt(path[depth+1], value) + "} in " + above
	}

	return "write " + line + " in " + above
}

// lineAt writes a value at a path such as call.model.role: call: {model: {role: thinker}}.
func lineAt(path string, value *yamldoc.Node) string {
	text := value.Span.Text()
	if value.IsNull() || strings.Contains(text, "\n") {
		text = "…"
	}
	names := strings.Split(path, ".")
	for _, name := range slices.Backward(names[1:]) {
		text = "{" + name + ": " + text + "}"
	}

	return names[0] + ": " + text
}

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

func (r *run) add(i int, p node, d *diag.Diagnostic) {
	path, ok := strings.CutPrefix(p.text("x-agentc-unused"), fieldsBelow)
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
			if slices.Contains(written, parent) || n.Field(parent) != nil {
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
