package schemadoc

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// enumeration reads enum or const, which is an enum of one.
func (w *work) enumeration() {
	enum, constant := w.node.Get("enum"), w.node.Get("const")
	switch {
	case enum != nil && constant != nil:
		w.report(diag.SchemaUnsupported, constant.Key.Span, "both enum and const cannot become Go: one of them is enough")
	case constant != nil:
		w.values(constant.Value, []*yamldoc.Node{constant.Value})
	case enum != nil && enum.Value.Kind != yamldoc.Seq:
		w.report(diag.WrongType, enum.Value.Span, "%q must be a list, found %s", "enum", enum.Value.Kind)
	case enum != nil && len(enum.Value.Items) == 0:
		w.report(diag.BadValue, enum.Value.Span, "the enum is empty: nothing fits")
	case enum != nil:
		w.values(enum.Value, enum.Value.Items)
	}
}

func (w *work) values(all *yamldoc.Node, values []*yamldoc.Node) {
	switch w.schema.Kind {
	case ir.SchemaAny:
		w.report(diag.SchemaUnsupported, all.Span, "an enum of values of several types, of lists or of mappings cannot become Go")
		return
	case ir.SchemaObject, ir.SchemaArray:
		w.report(diag.SchemaUnsupported, all.Span, "an enum of values of type %s cannot become Go", kindName(w.schema.Kind))
		return
	}

	hasNull, allowed := false, []string{}
	var places []source.Span
	seen := map[string]bool{}
	for _, v := range values {
		if problem := sample.Misfit(w.schema, v.JSON()); problem != "" {
			w.report(diag.BadValue, v.Span, "%s in the enum does not fit its own schema: %s", found(v), problem)
			continue
		}
		identity := sample.Identity(v.JSON())
		if seen[identity] {
			w.report(diag.BadValue, v.Span, "%s is in the enum twice", found(v))
			continue
		}
		seen[identity] = true
		if v.Kind == yamldoc.Null {
			hasNull = true
			continue
		}
		allowed = append(allowed, v.Compact())
		places = append(places, v.Span)
	}

	// A schema that lists its values accepts null only if it is listed.
	w.schema.Nullable = w.schema.Nullable && hasNull
	if len(allowed) == 0 && w.lenient {
		return
	}
	if len(allowed) == 0 && hasNull {
		w.report(diag.SchemaUnsupported, all.Span, "a value that is always null cannot become Go: leave it out")
	}
	w.schema.Enum, w.schema.EnumAt = allowed, places
}

// defaultValue reads the default, which must fit the schema.
func (w *work) defaultValue() {
	f := w.node.Get("default")
	if f == nil {
		return
	}
	if problem := sample.Misfit(w.schema, f.Value.JSON()); problem != "" {
		w.report(diag.BadValue, f.Value.Span, "the default does not fit its own schema: %s", problem)
		return
	}
	w.schema.Default = f.Value.Compact()
}
