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
func kindOf(schema node, n *yamldoc.Node) (kind string, known bool) {
	field := schema.property("kind")
	if field.value == nil {
		return "", false
	}
	kinds := field.strings("enum")
	written := n.Value("kind")
	if written == nil {
		return kinds[0], n == nil || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
			_, near := nearField(f.Key.Text, []string{"kind"})
			return near && schema.property(f.Key.Text).value == nil
		})
	}
	kind, _ = written.Scalar()

	return kind, slices.Contains(kinds, kind)
}

// unusedInside warns of fields that mappings anywhere below n do not use.
func (r *reporter) unusedInside(schema node, n *yamldoc.Node) {
	for _, item := range n.Items {
		r.unusedInside(anySchema(schema, func(n node) node { return n.child("items") }), item)
	}
	for _, f := range n.Fields {
		p := anySchema(schema, func(n node) node { return n.property(f.Key.Text) })
		if p.value == nil {
			p = anySchema(schema, node.entry)
		}
		if d := r.unusedByKind(schema, n, p, f); d != nil {
			r.add(d)
		} else if p.value != nil {
			r.unusedInside(p, f.Value)
		}
	}
}

// unusedByKind says why a field of the mapping is not used; nil if it is.
func (r *reporter) unusedByKind(schema node, mapping *yamldoc.Node, p node, f *yamldoc.Field) *diag.Diagnostic {
	if d := r.unusedField(p, f); d != nil {
		return d
	}
	kinds := p.strings("x-agentc-kinds")
	if kinds == nil {
		return nil
	}
	owner := anySchema(schema, func(n node) node {
		if n.property("kind").value != nil {
			return n
		}
		return node{}
	})
	kind, known := kindOf(owner, mapping)
	if !known || slices.Contains(kinds, kind) {
		return nil
	}
	d := lowered(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by kind %q", f.Key.Text, kind), p, f)
	if instead := p.text("x-agentc-instead"); instead != "" {
		d.WithHint("%s", instead)
	}
	if mapping.Field("kind") == nil && len(kinds) == 1 {
		return d.WithHint("write kind: %s", kinds[0])
	}

	return d.Note(source.Span{}, "it is used by %s", list(kinds))
}

// leftOut reports what the format documents and this language leaves out, with what to use instead. Of a mapping whose kind
// is left out nothing else is said.
func (r *reporter) leftOut(v verdict, instead string) {
	owner := r.owner(v.at)
	kind, _ := v.at.parent.Value("kind").Scalar()
	ofKind := anySchema(owner.schema, func(n node) node { return n.property("kind") })
	if ofKind.insteadOf(kind) == "" {
		r.add(diag.New(diag.UnsupportedStep, v.at.key.Span, "%s is not supported", r.name(v.at)).WithHint("%s", instead))
	}
}

// insteadOf returns what to use instead of a value that is left out; "" for any other value.
func (n node) insteadOf(value string) string {
	values, _ := n.value["x-agentc-unsupported"].(map[string]any)
	instead, _ := values[value].(string)

	return instead
}
