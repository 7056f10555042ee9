package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// besideRef are the keywords that are allowed next to $ref: they describe this use of the schema.
var besideRef = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true, "$comment": true,
	"$defs": true, "definitions": true, "$schema": true, "$id": true, "readOnly": true, "writeOnly": true,
}

// A reference is lowered like a copy of its schema. A schema that contains itself is lowered once,
// as a definition of the complete schema, and each reference to it is a SchemaRef.

// definition is a schema that contains itself.
type definition struct {
	schema *ir.Schema
	// shown is the reference as models see it.
	shown    string
	nullable bool
}

// lowerRef lowers a schema with $ref.
func (l *lowerer) lowerRef(n *yamldoc.Node, depth int) *ir.Schema {
	s := l.lowerReferenced(n, depth)
	if s != nil {
		l.lowerMerge(n, s)
	}

	return s
}

// lowerReferenced lowers the schema of a reference, with the annotations next to it.
func (l *lowerer) lowerReferenced(n *yamldoc.Node, depth int) *ir.Schema {
	ref, target := n.Value("$ref"), l.target(n)
	switch {
	case target == nil:
		return nil
	case l.isRecursive(ref) && l.becomesNamedType(n, 0):
		return l.lowerRecursive(n, false)
	case slices.Contains(l.open, ref.Text):
		return l.reportUnnamed(ref)
	}
	l.open = append(l.open, ref.Text)
	s := l.lowerSchema(target, depth+1)
	l.open = l.open[:len(l.open)-1]

	return s
}

func (l *lowerer) reportUnnamed(ref *yamldoc.Node) *ir.Schema {
	l.report(diag.SchemaUnsupported, ref.Span, "a schema that contains itself cannot become Go, unless it is an object with properties")

	return nil
}

// target returns the referenced schema of n with the annotations of n. It returns nil after a
// report.
func (l *lowerer) target(n *yamldoc.Node) *yamldoc.Node {
	ref := n.Field("$ref")
	target := l.resolveRef(ref.Value)
	if target == nil {
		return nil
	}
	for _, f := range n.Fields {
		isRule := l.fields[n] && f.Key.Text == mergeKeyword
		if f != ref && !isRule && !besideRef[f.Key.Text] && !strings.HasPrefix(f.Key.Text, "x-") {
			l.report(diag.SchemaUnsupported, f.Key.Span,
				"%q beside $ref cannot become Go: only descriptions and a default are possible there", f.Key.Text)
		}
	}

	return overlaid(target, n)
}

// resolveRef returns the schema of a reference, or nil after a report.
func (l *lowerer) resolveRef(ref *yamldoc.Node) *yamldoc.Node {
	if ref.Kind != yamldoc.String {
		l.report(diag.WrongType, ref.Span, "%q must be text, found %s", "$ref", ref.Kind)
		return nil
	}
	isOwn := ref.Text == "#" || strings.HasPrefix(ref.Text, "#/$defs/") || strings.HasPrefix(ref.Text, "#/definitions/")
	if !isOwn && !(l.lenient && strings.HasPrefix(ref.Text, "#/")) {
		l.report(diag.SchemaUnsupported, ref.Span,
			"a reference outside of $defs cannot become Go: expected %q, found %q", "#/$defs/NAME", ref.Text)
		return nil
	}
	_, target, ok := l.root.Find(strings.TrimPrefix(ref.Text, "#"))
	if !ok {
		d := l.report(diag.BadValue, ref.Span, "%q refers to nothing", ref.Text)
		d.Suggest(ref.Text, l.definitionNames())
		return nil
	}
	l.used[ref.Text] = true

	return target
}

// isRecursive reports whether the schema of a reference contains the reference.
func (l *lowerer) isRecursive(ref *yamldoc.Node) bool {
	if known, ok := l.recursive[ref.Text]; ok {
		return known
	}
	seen := map[string]bool{}
	var visit func(n *yamldoc.Node)
	visit = func(n *yamldoc.Node) {
		if n == nil {
			return
		}
		for _, item := range n.Items {
			visit(item)
		}
		for _, f := range n.Fields {
			visit(f.Value)
			if text := f.Value.Text; f.Key.Text == "$ref" && strings.HasPrefix(text, "#") && !seen[text] {
				seen[text] = true
				_, target, _ := l.root.Find(text[1:])
				visit(target)
			}
		}
	}
	_, target, _ := l.root.Find(strings.TrimPrefix(ref.Text, "#"))
	visit(target)
	l.recursive[ref.Text] = seen[ref.Text]

	return seen[ref.Text]
}

// lowerRecursive lowers a reference to a recursive schema.
func (l *lowerer) lowerRecursive(n *yamldoc.Node, nullable bool) *ir.Schema {
	d := l.definitionOf(n.Value("$ref").Text)
	s := &ir.Schema{Kind: ir.SchemaRef, Span: n.Span, Target: d.schema, Nullable: nullable || d.nullable}
	head := `"$ref":` + words.Quote(d.shown)
	if nullable && !d.nullable {
		head = `"anyOf":[{` + head + `},{"type":"null"}]`
	}
	w := &schemaBuilder{lowerer: l, node: annotationsOf(n), schema: s, head: head}
	w.finish()

	return s
}

// definitionOf returns a recursive schema, which is lowered at its first use.
func (l *lowerer) definitionOf(ref string) *definition {
	if d := l.definitions[ref]; d != nil {
		return d
	}
	_, target, _ := l.root.Find(strings.TrimPrefix(ref, "#"))
	_, tail, _ := strings.Cut(strings.TrimPrefix(ref, "#/"), "/")
	d := &definition{schema: anyValue(target.Span), shown: "#/$defs/" + tail, nullable: l.allowsNull(target)}
	l.definitions[ref] = d
	l.order = append(l.order, &ir.Property{
		Name: ir.Text{Value: yamldoc.UnescapePointer(tail), Span: target.Span}, Schema: d.schema,
	})
	if s := l.lowerSchema(target, 1); s != nil {
		*d.schema = *s
		d.schema.Nullable = false // each reference has its own nullability
	}

	return d
}

// becomesNamedType reports whether a schema becomes a named Go type, which can be recursive.
func (l *lowerer) becomesNamedType(n *yamldoc.Node, depth int) bool {
	n = l.follow(n)
	parts := l.choiceOf(n).of
	if parts == nil && n.Value("allOf") != nil {
		parts = n.Value("allOf").Items
	}
	switch {
	case n.Field("properties") != nil, len(parts) > 1:
		return true
	case len(parts) == 1 && depth < maxDepth:
		return l.becomesNamedType(parts[0], depth+1)
	}

	return false
}

// allowsNull reports whether null fits a schema.
func (l *lowerer) allowsNull(n *yamldoc.Node) bool {
	t := n.Value("type")

	isNull := func(name *yamldoc.Node) bool { return name.Text == "null" }

	return l.choiceOf(n).nullable || t != nil && slices.ContainsFunc(t.Items, isNull)
}

// overlaid returns target with the annotations of a reference to it.
func overlaid(target, n *yamldoc.Node) *yamldoc.Node {
	if target.Kind != yamldoc.Map {
		return target
	}
	merged := *target
	merged.Fields = slices.DeleteFunc(slices.Clone(target.Fields), func(f *yamldoc.Field) bool {
		return f.Key.Text != "$ref" && n.Field(f.Key.Text) != nil && isShownAnnotation(f.Key.Text)
	})
	merged.Fields = append(merged.Fields, annotationsOf(n).Fields...)

	return &merged
}

// annotationsOf returns the annotations of a schema.
func annotationsOf(n *yamldoc.Node) *yamldoc.Node {
	out := mapping(n.Span)
	out.Fields = ir.Where(n.Fields, func(f *yamldoc.Field) bool { return isShownAnnotation(f.Key.Text) })

	return out
}

func isShownAnnotation(key string) bool { return besideRef[key] && !isHidden(key) }

// definitionNames returns all references that are possible.
func (l *lowerer) definitionNames() []string {
	return ir.FlatMap([]string{"$defs", "definitions"}, func(place string) []string {
		return ir.Map(l.root.Value(place).Members(), func(f *yamldoc.Field) string { return "#/" + place + "/" + f.Key.Text })
	})
}

// checkUnusedDefinitions lowers unused definitions for their diagnostics.
func (l *lowerer) checkUnusedDefinitions() {
	for _, place := range []string{"$defs", "definitions"} {
		f := l.root.Field(place)
		if f == nil {
			continue
		}
		if f.Value.Kind != yamldoc.Map {
			l.report(diag.WrongType, f.Value.Span, "%q must be a mapping from names to schemas, found %s", place, f.Value.Kind)
			continue
		}
		for _, def := range f.Value.Fields {
			if !l.used["#/"+place+"/"+def.Key.Text] {
				l.lowerSchema(def.Value, 1)
			}
		}
	}
}

// reportEndless reports a recursive schema whose values would contain each other without end.
func (l *lowerer) reportEndless(whole *ir.Schema) bool {
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

// hasEnd reports whether a schema has values without those definitions that are not known to end. A
// property with a default counts as required, because the default is read if it is missing.
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

	if s.MinProperties != nil && *s.MinProperties > 0 && !hasEnd(s.Additional, ends) {
		return false
	}

	return !slices.ContainsFunc(s.Properties, func(p *ir.Property) bool {
		isHeld := p.Required || p.Schema.Default != "" && p.Schema.Default != "null"
		return isHeld && !hasEnd(p.Schema, ends)
	})
}
