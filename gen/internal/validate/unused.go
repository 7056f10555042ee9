package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reportUnused warns of fields that the format documents and this document does not use.
func (r *reporter) reportUnused(schema node, n *yamldoc.Node) {
	schema = schema.resolved()
	if r.format.byKind {
		r.reportUnusedBelow(schema, n)
		return
	}
	if n.Kind != yamldoc.Map {
		return
	}
	var moved fieldRun
	for i, f := range n.Fields {
		p := schema.property(f.Key.Text)
		if p.value == nil {
			p = schema.child("additionalProperties") // the schema of each entry of a mapping, such as a role
		}
		if p.value == nil {
			continue
		}
		if d := r.unusedDiagnostic(p, f); d != nil {
			r.addDiagnostic(d)
			moved.addField(i, p, d)
			continue
		}
		r.reportUnused(p, f.Value)
	}
	moved.addFix(n)
}

// dottedFieldDiagnostic describes a field whose name is the path of an unused field, such as
// tama.depends.apt. Without a value it can be removed.
func (r *reporter) dottedFieldDiagnostic(schema node, f *yamldoc.Field) *diag.Diagnostic {
	words := strings.Split(f.Key.Text, ".")
	for i := range words[:len(words)-1] {
		schema = schema.property(words[i])
		p := schema.property(words[i+1])
		if instead := p.text("x-agentc-unused"); instead != "" {
			d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", f.Key.Text).WithHint("%s", instead)

			return addRemoveFix(warnIfHarmless(d, p, f), f)
		}
	}

	return nil
}

// addRemoveFix adds a fix that removes a field without a value.
func addRemoveFix(d *diag.Diagnostic, f *yamldoc.Field) *diag.Diagnostic {
	if line, ok := fieldLine(f); ok && f.Value.Kind == yamldoc.Null {
		d.Fixes = append(d.Fixes, diag.Fix{Message: "remove it", Edits: []diag.Edit{{Span: line}}})
	}

	return d
}

// fieldLine returns the line of a field without a value; ok is false if the line has something
// else.
func fieldLine(f *yamldoc.Field) (line source.Span, ok bool) {
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

	isBare := len(value) == 0 || string(value) == "~" || string(value) == "null"

	return source.Span{File: at.File, Start: start, End: end}, isBare
}

// warnIfHarmless turns a diagnostic of an unread field into a warning if the field does not change
// the run: the schema calls it harmless, or its value is empty.
func warnIfHarmless(d *diag.Diagnostic, p node, f *yamldoc.Field) *diag.Diagnostic {
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

// unusedDiagnostic describes a field that the document does not use, or returns nil.
func (r *reporter) unusedDiagnostic(p node, f *yamldoc.Field) *diag.Diagnostic {
	d := r.unusedHereDiagnostic(p, f)
	if d == nil {
		return nil
	}
	if instead := p.text("x-agentc-instead"); instead != "" {
		d.WithHint("%s", instead)
	}

	return warnIfHarmless(d, p, f)
}

func (r *reporter) unusedHereDiagnostic(p node, f *yamldoc.Field) *diag.Diagnostic {
	name := f.Key.Text
	if instead := p.text("x-agentc-unused"); instead != "" {
		d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", name).WithHint("%s", instead)
		if path, isBelow := strings.CutPrefix(instead, fieldsBelow); isBelow {
			d.WithHint("%s", r.describeMove(strings.Split(path, "."), f.Value))
		}
		if instead == fieldsAtTop {
			return addRemoveFix(d, f)
		}
		return d
	}
	patterns := p.strings("x-agentc-patterns")
	if patterns == nil || !r.patternKnown {
		return nil
	}
	if !slices.Contains(patterns, r.pattern) {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q", name, r.pattern).
			Note(source.Span{}, "it is used by %s", joinNames(patterns))
	}
	needs, _ := p.value["x-agentc-needs"].(map[string]any)
	if other, _ := needs[r.pattern].(string); other != "" && r.root.Field(other) == nil {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q without %s", name, r.pattern, other)
	}

	return nil
}

// describeMove describes how to write a value at a path such as call.model.role, next to the
// existing fields.
func (r *reporter) describeMove(path []string, value *yamldoc.Node) string {
	owner, depth := r.root, 0
	for depth < len(path)-1 && !isEmpty(owner.Value(path[depth])) && owner.Value(path[depth]).Kind == yamldoc.Map {
		owner = owner.Value(path[depth])
		depth++
	}
	line := formatAtPath(strings.Join(path[depth:], "."), value)
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
		return "write " + name + ": {name: " + owner.Value(name).Span.Text() + ", " + formatAtPath(path[depth+1], value) + "} in " + above
	case isText && text != "":
		return "write " + name + ": {role: " + owner.Value(name).Span.Text() + ", " + formatAtPath(path[depth+1], value) + "} in " + above
	}

	return "write " + line + " in " + above
}

// formatAtPath writes a value at a path such as call.model.role: call: {model: {role: thinker}}.
func formatAtPath(path string, value *yamldoc.Node) string {
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

// The hints of the schemas for fields that belong elsewhere.
const (
	fieldsAtTop = "write its fields at the top level of the frontmatter"
	fieldsBelow = "write it below call: "
)

// fieldRun is a sequence of unused fields of a mapping that belong below another field.
type fieldRun struct {
	first      int
	paths      [][]string
	diagnostic *diag.Diagnostic
	// broken is true if another field is between them.
	broken bool
}

func (r *fieldRun) addField(i int, p node, d *diag.Diagnostic) {
	path, ok := strings.CutPrefix(p.text("x-agentc-unused"), fieldsBelow)
	if !ok {
		return
	}
	if r.diagnostic == nil {
		r.first, r.diagnostic = i, d
	}
	r.broken = r.broken || i != r.first+len(r.paths)
	r.paths = append(r.paths, strings.Split(path, "."))
}

// addFix adds to the first of the fields a fix that indents all of them below their parents. It
// requires that each field is a line, and each parent is missing or a line without a value just
// before them.
func (r *fieldRun) addFix(n *yamldoc.Node) {
	if r.diagnostic == nil || r.broken {
		return
	}
	// open is the path of the parent of the last line, or of the line itself. written are the
	// parents with a line.
	var open, written []string
	if r.first > 0 {
		before := n.Fields[r.first-1]
		if _, isBare := fieldLine(before); isBare && before.Value.Kind == yamldoc.Null {
			open, written = []string{before.Key.Text}, []string{before.Key.Text}
		}
	}
	var text strings.Builder
	var lines source.Span
	isEmpty := false // the last line has no value and needs a field below it
	for i, path := range r.paths {
		f := n.Fields[r.first+i]
		line, ok := singleLine(f)
		parents := path[:len(path)-1]
		isApart := i > 0 && line.Start != lines.End
		isChildMissing := isEmpty && !slices.Equal(open, parents)
		if !ok || isApart || isChildMissing {
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
	r.diagnostic.Fixes = append(r.diagnostic.Fixes, diag.Fix{Message: message, Edits: []diag.Edit{{Span: lines, New: text.String()}}})
}

// singleLine returns the line of a field that begins the line and has its whole value in it.
func singleLine(f *yamldoc.Field) (line source.Span, ok bool) {
	line, isBare := fieldLine(f)
	value := f.Value.Span
	isInside := value.Start >= line.Start && value.End <= line.End
	if f.Value.Kind == yamldoc.Null {
		isInside = isBare
	}

	return line, isInside && line.IsValid() && line.Start == f.Key.Span.Start
}
