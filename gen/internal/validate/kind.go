package validate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Some mappings, such as the steps of a workflow, have a field `kind`. Some of their fields are
// only used by some kinds: x-agentc-kinds.

// kindOf returns the kind of a mapping. known is false for an unknown kind, or if a field may be a
// misspelled kind.
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

// reportUnusedBelow warns of unused fields of all mappings below n.
func (r *reporter) reportUnusedBelow(schema node, n *yamldoc.Node) {
	for _, item := range n.Items {
		r.reportUnusedBelow(anySchema(schema, func(n node) node { return n.child("items") }), item)
	}
	for _, f := range n.Fields {
		p := anySchema(schema, func(n node) node { return n.property(f.Key.Text) })
		if p.value == nil {
			p = anySchema(schema, node.entrySchema)
		}
		if d := r.unusedByKindDiagnostic(schema, n, p, f); d != nil {
			r.addDiagnostic(d)
		} else if p.value != nil {
			r.reportUnusedBelow(p, f.Value)
		}
	}
}

// unusedByKindDiagnostic describes why a field of the mapping is not used, or returns nil.
func (r *reporter) unusedByKindDiagnostic(schema node, mapping *yamldoc.Node, p node, f *yamldoc.Field) *diag.Diagnostic {
	if d := r.unusedDiagnostic(p, f); d != nil {
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
	d := warnIfHarmless(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by kind %q", f.Key.Text, kind), p, f)
	instead := p.text("x-agentc-instead")
	switch {
	case instead != "":
		d.WithHint("%s", instead)
	case mapping.Field("kind") == nil && len(kinds) == 1:
		return d.WithHint("write kind: %s", kinds[0])
	}

	return d.Note(source.Span{}, "it is used by %s", joinNames(kinds))
}

// reportUnsupported reports a documented field or value without a counterpart here, with its
// replacement. If the kind of the mapping is unsupported, nothing else is reported.
func (r *reporter) reportUnsupported(v verdict, instead string) {
	owner := r.ownerOf(v.at)
	kind, _ := v.at.parent.Value("kind").Scalar()
	ofKind := anySchema(owner.schema, func(n node) node { return n.property("kind") })
	if ofKind.replacementFor(kind) == "" {
		r.addDiagnostic(diag.New(diag.UnsupportedStep, v.at.key.Span, "%s is not supported", r.describe(v.at)).WithHint("%s", instead))
	}
}

// replacementFor returns the replacement of an unsupported value, or "".
func (n node) replacementFor(value string) string {
	values, _ := n.value["x-agentc-unsupported"].(map[string]any)
	instead, _ := values[value].(string)

	return instead
}
