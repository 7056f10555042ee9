package validate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/source"
	"github.com/agentc-dev/agentc/gen/yamldoc"
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
	for _, f := range n.Fields {
		p := schema.property(f.Key.Text)
		if p.value == nil {
			continue
		}
		if d := r.unusedField(p, f); d != nil {
			r.add(d)
			continue
		}
		r.unused(p, f.Value)
	}
}

func (r *reporter) unusedField(p node, f *yamldoc.Field) *diag.Diagnostic {
	name := f.Key.Text
	if instead := p.text("x-agentc-unused"); instead != "" {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", name).WithHint("%s", instead)
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
	if other, _ := needs[r.pattern].(string); other != "" && r.root.Get(other) == nil {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q without %s", name, r.pattern, other)
	}

	return nil
}
