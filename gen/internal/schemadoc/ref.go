package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// besideRef are the keywords that may be written beside $ref: they describe this use of the schema.
var besideRef = map[string]bool{
	"title": true, "description": true, "default": true, "examples": true, "deprecated": true, "$comment": true,
	"$defs": true, "definitions": true, "$schema": true, "$id": true, "readOnly": true, "writeOnly": true,
}

// A reference is lowered as if what it refers to were written there, unless that contains itself: then it is lowered once, as a
// definition of the whole schema, and each reference to it is a SchemaRef.

// definition is a schema that contains itself.
type definition struct {
	schema *ir.Schema
	// shown is the reference as a model is shown it.
	shown    string
	nullable bool
}

// reference lowers a schema with $ref.
func (l *lowerer) reference(n *yamldoc.Node, depth int) *ir.Schema {
	ref, target := n.Value("$ref"), l.target(n)
	switch {
	case target == nil:
		return nil
	case l.isRecursive(ref) && l.hasName(n, 0):
		return l.use(n, false)
	case slices.Contains(l.open, ref.Text):
		return l.unnamed(ref)
	}
	l.open = append(l.open, ref.Text)
	s := l.schema(target, depth+1)
	l.open = l.open[:len(l.open)-1]

	return s
}

func (l *lowerer) unnamed(ref *yamldoc.Node) *ir.Schema {
	l.report(diag.SchemaUnsupported, ref.Span, "a schema that contains itself cannot become Go, unless it is an object with properties")

	return nil
}

// target returns what the reference of n leads to, with what is written beside it; nil after a report.
func (l *lowerer) target(n *yamldoc.Node) *yamldoc.Node {
	ref := n.Field("$ref")
	target := l.resolve(ref.Value)
	if target == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f != ref && !besideRef[f.Key.Text] && !strings.HasPrefix(f.Key.Text, "x-") {
			l.report(diag.SchemaUnsupported, f.Key.Span,
				"%q beside $ref cannot become Go: only descriptions and a default are possible there", f.Key.Text)
		}
	}

	return overlaid(target, n)
}

// resolve returns the schema that a reference names; nil after a report.
func (l *lowerer) resolve(ref *yamldoc.Node) *yamldoc.Node {
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

// isRecursive reports whether what a reference leads to contains the reference.
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

// use lowers a reference to what contains itself.
func (l *lowerer) use(n *yamldoc.Node, nullable bool) *ir.Schema {
	d := l.definition(n.Value("$ref").Text)
	s := &ir.Schema{Kind: ir.SchemaRef, Span: n.Span, Target: d.schema, Nullable: nullable || d.nullable}
	head := `"$ref":` + words.Quote(d.shown)
	if nullable && !d.nullable {
		head = `"anyOf":[{` + head + `},{"type":"null"}]`
	}
	w := &work{lowerer: l, node: remarks(n), schema: s, head: head}
	w.finish()

	return s
}

// definition returns what contains itself, which is lowered at its first use.
func (l *lowerer) definition(ref string) *definition {
	if d := l.definitions[ref]; d != nil {
		return d
	}
	_, target, _ := l.root.Find(strings.TrimPrefix(ref, "#"))
	_, tail, _ := strings.Cut(strings.TrimPrefix(ref, "#/"), "/")
	d := &definition{schema: anyValue(target.Span), shown: "#/$defs/" + tail, nullable: l.takesNull(target)}
	l.definitions[ref] = d
	l.order = append(l.order, &ir.Property{
		Name: ir.Text{Value: yamldoc.UnescapePointer(tail), Span: target.Span}, Schema: d.schema,
	})
	if s := l.schema(target, 1); s != nil {
		*d.schema = *s
		d.schema.Nullable = false // each reference says whether null fits
	}

	return d
}

// hasName reports whether a schema becomes a Go type with a name, which can refer to itself.
func (l *lowerer) hasName(n *yamldoc.Node, depth int) bool {
	n = l.seen(n)
	parts := l.choiceOf(n).of
	if parts == nil && n.Value("allOf") != nil {
		parts = n.Value("allOf").Items
	}
	switch {
	case n.Field("properties") != nil, len(parts) > 1:
		return true
	case len(parts) == 1 && depth < maxDepth:
		return l.hasName(parts[0], depth+1)
	}

	return false
}

// takesNull reports whether null fits what a node becomes.
func (l *lowerer) takesNull(n *yamldoc.Node) bool {
	t := n.Value("type")

	return l.choiceOf(n).nullable ||
		t != nil && slices.ContainsFunc(t.Items, func(one *yamldoc.Node) bool { return one.Text == "null" })
}

// overlaid returns target with what is beside a reference to it.
func overlaid(target, n *yamldoc.Node) *yamldoc.Node {
	if target.Kind != yamldoc.Map {
		return target
	}
	merged := *target
	merged.Fields = slices.DeleteFunc(slices.Clone(target.Fields), func(f *yamldoc.Field) bool {
		return f.Key.Text != "$ref" && n.Field(f.Key.Text) != nil && isRemark(f.Key.Text)
	})
	merged.Fields = append(merged.Fields, remarks(n).Fields...)

	return &merged
}

// remarks is a schema without all but what describes its use.
func remarks(n *yamldoc.Node) *yamldoc.Node {
	out := mapping(n.Span)
	out.Fields = ir.Where(n.Fields, func(f *yamldoc.Field) bool { return isRemark(f.Key.Text) })

	return out
}

func isRemark(key string) bool { return besideRef[key] && !isHidden(key) }

// definitionNames returns the references that could be written.
func (l *lowerer) definitionNames() []string {
	return ir.Flat([]string{"$defs", "definitions"}, func(place string) []string {
		return ir.Map(l.root.Value(place).Members(), func(f *yamldoc.Field) string { return "#/" + place + "/" + f.Key.Text })
	})
}

// unusedDefinitions lowers what nothing refers to, for its diagnostics alone.
func (l *lowerer) unusedDefinitions() {
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
				l.schema(def.Value, 1)
			}
		}
	}
}

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
