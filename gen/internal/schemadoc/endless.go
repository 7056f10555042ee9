package schemadoc

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// endless reports what contains itself without a way to end: each value of it would hold another one.
func (l *lowerer) endless(whole *ir.Schema) bool {
	all := append(slices.Clip(whole.Definitions), &ir.Property{Schema: whole})
	ends := map[*ir.Schema]bool{}
	for range all { // each round finds one more, or none
		for _, d := range all {
			ends[d.Schema] = hasEnd(d.Schema, ends)
		}
	}
	for _, d := range all {
		if !ends[d.Schema] {
			l.report(diag.SchemaUnsupported, d.Schema.Span,
				"each value of this schema holds another one, without end: a property between them must be optional, without a default, or null")
			return true
		}
	}

	return false
}

// hasEnd reports whether a schema has values that hold none of the definitions which are not known to end. What a default brings counts
// as required: it is read whenever it is missing.
func hasEnd(s *ir.Schema, ends map[*ir.Schema]bool) bool {
	if s == nil || s.Nullable && (s.Default == "" || s.Default == "null") {
		return true
	}
	switch s.Kind {
	case ir.SchemaRef:
		return ends[s.Target]
	case ir.SchemaArray:
		return s.MinItems == nil && (s.Default == "" || s.Default == "[]") || hasEnd(s.Items, ends)
	case ir.SchemaUnion:
		return slices.ContainsFunc(s.Variants, func(v *ir.Property) bool { return hasEnd(v.Schema, ends) })
	}

	return !slices.ContainsFunc(s.Properties, func(p *ir.Property) bool {
		isHeld := p.Required || p.Schema.Default != "" && p.Schema.Default != "null"
		return isHeld && !hasEnd(p.Schema, ends)
	})
}
