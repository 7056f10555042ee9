package validate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Mappings such as the steps of a workflow say themselves what they are, with a field `kind`, and their fields are used by
// some kinds only: x-agentc-kinds.

// kindOf returns the kind of a mapping; known is false if it has none that the schema knows, or a field that was meant to be
// its kind.
func kindOf(schema *rule, n *yamldoc.Node) (kind string, known bool) {
	field := schema.property("kind")
	if field == nil {
		return "", false
	}
	kinds := field.Enum
	written := n.Value("kind")
	if written == nil {
		return kinds[0], n == nil || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
			_, near := nearField(f.Key.Text, []string{"kind"})
			return near && schema.property(f.Key.Text) == nil
		})
	}
	kind, _ = written.Scalar()

	return kind, slices.Contains(kinds, kind)
}

// unusedInside warns of fields that mappings anywhere below n do not use.
func (r *reporter) unusedInside(schema *rule, n *yamldoc.Node) {
	for _, item := range n.Items {
		r.unusedInside(anySchema(schema, func(s *rule) *rule { return s.Items }), item)
	}
	for _, f := range n.Fields {
		p := anySchema(schema, func(s *rule) *rule { return s.property(f.Key.Text) })
		if p == nil {
			p = anySchema(schema, (*rule).entry)
		}
		if p == nil {
			continue
		}
		if d := r.unusedByKind(schema, n, p, f); d != nil {
			r.add(d)
		} else {
			r.unusedInside(p, f.Value)
		}
	}
}

// unusedByKind says why a field of the mapping is not used; nil if it is.
func (r *reporter) unusedByKind(schema *rule, mapping *yamldoc.Node, p *rule, f *yamldoc.Field) *diag.Diagnostic {
	if d := r.unusedField(p, f); d != nil {
		return d
	}
	kinds := p.Kinds
	if kinds == nil {
		return nil
	}
	owner := anySchema(schema, func(s *rule) *rule {
		if s.property("kind") != nil {
			return s
		}
		return nil
	})
	kind, known := kindOf(owner, mapping)
	if !known || slices.Contains(kinds, kind) {
		return nil
	}
	d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by kind %q", f.Key.Text, kind)
	if mapping.Get("kind") == nil && len(kinds) == 1 {
		return d.WithHint("write kind: %s", kinds[0])
	}

	return d.Note(source.Span{}, "it is used by %s", list(kinds))
}

// leftOut reports what the format documents and this language leaves out, with what to use instead. Of a mapping whose kind
// is left out nothing else is said.
func (r *reporter) leftOut(v verdict, instead string) {
	owner := r.owner(v.at)
	kind, _ := v.at.parent.Value("kind").Scalar()
	ofKind := anySchema(owner.schema, func(s *rule) *rule { return s.property("kind") })
	if ofKind == nil || ofKind.InsteadOf[kind] == "" {
		r.add(diag.New(diag.UnsupportedStep, v.at.key.Span, "%s is not supported", r.name(v.at)).WithHint("%s", instead))
	}
}

// leftOutValue reports a value that the format documents and this language leaves out.
func (r *reporter) leftOutValue(v verdict, instead string) {
	r.add(diag.New(diag.UnsupportedStep, v.at.value.Span, "%s %q is not supported", v.at.key.Text, v.at.value.Text).
		WithHint("%s", instead))
}
