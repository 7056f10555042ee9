package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// unused warns of fields, here and anywhere below, that the format documents and that are not used where they are.
func (r *reporter) unused(s *schema, n *yamldoc.Node) {
	for _, item := range n.Items {
		r.unused(s.find((*schema).items), item)
	}
	var moved run
	for i, f := range n.Fields {
		p := s.find(func(s *schema) *schema { return s.property(f.Key.Text) })
		if p == nil {
			p = s.find((*schema).entry)
		}
		if d := r.unusedField(s, n, p, f); d != nil {
			r.add(d)
			moved.add(i, d)
		} else if p != nil {
			r.unused(p, f.Value)
		}
	}
	moved.fix(n)
}

// dotted reports a field whose name is the path of one that is not used, such as tama.depends.apt. Without a value it can be removed.
func (r *reporter) dotted(s *schema, f *yamldoc.Field) *diag.Diagnostic {
	words := strings.Split(f.Key.Text, ".")
	for i := range words[:len(words)-1] {
		s = s.property(words[i])
		if instead := s.property(words[i+1]).word(unused); instead != "" {
			d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", f.Key.Text).WithHint("%s", instead)

			return removable(d, f)
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

// unusedField says why a field of the mapping is not used; nil if it is.
func (r *reporter) unusedField(s *schema, mapping *yamldoc.Node, p *schema, f *yamldoc.Field) *diag.Diagnostic {
	name, users := f.Key.Text, p.own()
	if instead := p.word(unused); instead != "" {
		d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", name).WithHint("%s", instead)
		if instead == fieldsAtTop {
			return removable(d, f)
		}
		return d
	}
	if users.Patterns != nil && r.patternKnown {
		if !slices.Contains(users.Patterns, r.pattern) {
			return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q", name, r.pattern).
				Note(source.Span{}, "it is used by %s", list(users.Patterns))
		}
		if other := users.Needs[r.pattern]; other != "" && r.root.Get(other) == nil {
			return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q without %s", name, r.pattern, other)
		}
	}
	if users.Kinds == nil {
		return nil
	}
	kind, known := kindOf(s.find(func(s *schema) *schema { return s.having("kind") }), mapping)
	if !known || slices.Contains(users.Kinds, kind) {
		return nil
	}
	d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by kind %q", name, kind)
	if mapping.Get("kind") == nil && len(users.Kinds) == 1 {
		return d.WithHint("write kind: %s", users.Kinds[0])
	}

	return d.Note(source.Span{}, "it is used by %s", list(users.Kinds))
}

// Mappings such as the steps of a workflow say themselves what they are, with a field `kind`, and their fields are used by
// some kinds only: x-agentc-kinds.

// kindOf returns the kind of a mapping; known is false if it has none that the schema knows, or a field that was meant to be
// its kind.
func kindOf(s *schema, n *yamldoc.Node) (kind string, known bool) {
	field := s.property("kind")
	if field == nil {
		return "", false
	}
	kinds := field.Enum
	written := n.Value("kind")
	if written == nil {
		return kinds[0], n == nil || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
			_, near := nearField(f.Key.Text, []string{"kind"})
			return near && s.property(f.Key.Text) == nil
		})
	}
	kind, _ = written.Scalar()

	return kind, slices.Contains(kinds, kind)
}

// leftOut reports what the format documents and this language leaves out, with what to use instead. Of a mapping whose kind
// is left out nothing else is said.
func (r *reporter) leftOut(v verdict, instead string) {
	kind, _ := v.at.up.value.Value("kind").Scalar()
	ofKind := v.at.up.schema.find(func(s *schema) *schema { return s.property("kind") })
	if ofKind.insteadOf(kind) == "" {
		r.add(diag.New(diag.UnsupportedStep, v.at.key.Span, "%s is not supported", r.name(v.at)).WithHint("%s", instead))
	}
}

// leftOutValue reports a value that the format documents and this language leaves out.
func (r *reporter) leftOutValue(v verdict, instead string) {
	r.add(diag.New(diag.UnsupportedStep, v.at.value.Span, "%s %q is not supported", v.at.key.Text, v.at.value.Text).
		WithHint("%s", instead))
}
