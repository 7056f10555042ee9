package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// choice has the schemas of anyOf or oneOf, without null.
type choice struct {
	of       []*yamldoc.Node
	nullable bool
}

// choiceOf returns the schemas that a schema chooses from, if it is only a choice.
func (l *lowerer) choiceOf(n *yamldoc.Node) choice {
	var c choice
	if !l.isPureChoice(n) {
		return c
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, item := range n.Value(key).Elements() {
			if t := item.Value("type"); t != nil && t.Text == "null" {
				c.nullable = true
				continue
			}
			c.of = append(c.of, item)
		}
	}

	return c
}

// isPureChoice reports whether a schema only selects one of several others.
func (l *lowerer) isPureChoice(n *yamldoc.Node) bool {
	if n == nil || n.Field("properties") != nil {
		return false
	}
	if t := n.Value("type"); t != nil && t.Text != "object" {
		return false
	}
	hasBoth := n.Field("anyOf") != nil && n.Field("oneOf") != nil

	return !hasBoth && l.describesOnly(n, "anyOf", "oneOf", "discriminator", "type")
}

// describesOnly reports whether a schema has only annotations besides some keywords. A foreign
// schema may have more keywords: without them, more values fit.
func (l *lowerer) describesOnly(n *yamldoc.Node, keywords ...string) bool {
	return l.lenient || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
		return !slices.Contains(keywords, f.Key.Text) && !isAnnotation(f.Key.Text)
	})
}

// isAnnotation reports whether a keyword does not affect validation next to others.
func isAnnotation(keyword string) bool { return besideRef[keyword] || strings.HasPrefix(keyword, "x-") }

// lowerCombination lowers a combination of schemas: a choice of one and null, a choice of objects
// that a property distinguishes, or objects that must all fit. ok is false for any other schema. s is nil if the combination has a
// problem, which has been reported.
func (l *lowerer) lowerCombination(n *yamldoc.Node, depth int) (s *ir.Schema, ok bool) {
	reported := l.list.Len()
	c := l.choiceOf(n)
	switch {
	case len(c.of) == 1:
		return l.lowerOnly(n, c, depth), true
	case len(c.of) > 1:
		if tag := l.tagOf(c.of); tag != "" {
			return l.lowerUnion(n, c, tag, depth), true
		}
	default:
		if whole := l.joinObjects(n); whole != nil {
			return l.lowerSchema(whole, depth+1), true
		}
	}

	return nil, l.list.Len() > reported // else the keyword is reported
}

// lowerOnly lowers a choice of one schema and possibly null.
func (l *lowerer) lowerOnly(n *yamldoc.Node, c choice, depth int) *ir.Schema {
	of := overlaid(c.of[0], n)
	for c.nullable && of != nil && of.Field("$ref") != nil {
		switch recursive := l.isRecursive(of.Value("$ref")); {
		case recursive && l.becomesNamedType(of, 0):
			return l.lowerRecursive(of, true)
		case recursive:
			return l.reportUnnamed(of.Value("$ref"))
		}
		of = l.target(of)
	}
	if of == nil {
		return nil
	}
	if c.nullable {
		of = withNull(of)
	}

	return l.lowerSchema(of, depth+1)
}

// withNull returns a schema that also accepts null.
func withNull(n *yamldoc.Node) *yamldoc.Node {
	out := mapping(n.Span)
	none := &yamldoc.Node{Kind: yamldoc.Null, Span: n.Span}
	for _, m := range n.Fields {
		switch {
		case m.Key.Text == "type" && m.Value.Kind == yamldoc.String && m.Value.Text != "null":
			m = &yamldoc.Field{Key: m.Key, Value: sequence(m.Value.Span, m.Value, word(m.Value.Span, "null"))}
		case m.Key.Text == "enum":
			m = &yamldoc.Field{Key: m.Key, Value: sequence(m.Value.Span, append(slices.Clone(m.Value.Items), none)...)}
		case m.Key.Text == "const":
			m = field("enum", sequence(m.Value.Span, m.Value, none))
		case m.Key.Text == "anyOf" || m.Key.Text == "oneOf":
			null := mapping(n.Span, field("type", word(n.Span, "null")))
			m = &yamldoc.Field{Key: m.Key, Value: sequence(m.Value.Span, append(slices.Clone(m.Value.Items), null)...)}
		}
		out.Fields = append(out.Fields, m)
	}
	if n.Field("type") == nil && n.Field("properties") != nil {
		out.Fields = append(out.Fields, field("type", sequence(n.Span, word(n.Span, "object"), word(n.Span, "null"))))
	}

	return out
}

// tagOf returns the property that distinguishes objects, or "". Each object requires it with a
// different text.
func (l *lowerer) tagOf(objects []*yamldoc.Node) string {
	first := l.follow(objects[0])
	for _, p := range first.Value("properties").Members() {
		texts := map[string]bool{}
		for _, object := range objects {
			if value := tagIn(l.follow(object), p.Key.Text); value != nil {
				texts[value.Text] = true
			}
		}
		if len(texts) == len(objects) {
			return p.Key.Text
		}
	}

	return ""
}

// follow follows the references of a schema without reporting anything.
func (l *lowerer) follow(n *yamldoc.Node) *yamldoc.Node {
	for range maxDepth {
		ref := n.Value("$ref")
		if ref == nil {
			return n
		}
		_, target, ok := l.root.Find(strings.TrimPrefix(ref.Text, "#"))
		if !ok {
			return nil
		}
		n = target
	}

	return nil
}

// tagIn returns the only text that an object allows for a required property, or nil.
func tagIn(object *yamldoc.Node, name string) *yamldoc.Node {
	isRequired := slices.ContainsFunc(object.Value("required").Elements(), func(n *yamldoc.Node) bool { return n.Text == name })
	if t := object.Value("type"); t != nil && t.Text != "object" || !isRequired {
		return nil
	}
	property := object.Value("properties").Value(name)
	value := property.Value("const")
	if enum := property.Value("enum"); enum != nil && len(enum.Items) == 1 {
		value = enum.Items[0]
	}
	if value == nil || value.Kind != yamldoc.String {
		return nil
	}

	return value
}

// lowerUnion lowers a choice of objects that the property tag distinguishes.
func (l *lowerer) lowerUnion(n *yamldoc.Node, c choice, tag string, depth int) *ir.Schema {
	s := &ir.Schema{Kind: ir.SchemaUnion, Span: n.Span, Nullable: c.nullable, Tag: tag}
	var shown []string
	for _, object := range c.of {
		of := l.lowerSchema(object, depth+1)
		if of == nil {
			return nil
		}
		text := tagIn(l.follow(object), tag)
		s.Variants = append(s.Variants, &ir.Property{Name: ir.Text{Value: text.Text, Span: text.Span}, Schema: of})
		shown = append(shown, of.JSON)
	}
	if c.nullable {
		shown = append(shown, `{"type":"null"}`)
	}
	key := "oneOf"
	if n.Field(key) == nil {
		key = "anyOf"
	}
	w := &schemaBuilder{lowerer: l, node: annotationsOf(n), schema: s, head: words.Quote(key) + ":[" + strings.Join(shown, ",") + "]"}
	w.finish()

	return s
}

// joinObjects returns the schema of allOf if its parts are objects: one schema with the properties
// of all parts and of the schema itself. An allOf with one part becomes that part. The result is
// nil for any other schema.
func (l *lowerer) joinObjects(n *yamldoc.Node) *yamldoc.Node {
	parts := n.Value("allOf")
	if parts == nil || parts.Kind != yamldoc.Seq || len(parts.Items) == 0 {
		return nil
	}
	if only := parts.Items[0]; len(parts.Items) == 1 && only.Kind == yamldoc.Map && l.describesOnly(n, "allOf") {
		return overlaid(only, n)
	}

	before := len(l.joining)
	defer func() { l.joining = l.joining[:before] }()
	own := *n
	own.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f *yamldoc.Field) bool { return f.Key.Text == "allOf" })
	m := &objectMerger{out: mapping(n.Span, field("type", word(n.Span, "object")))}
	if !m.merge(&own) {
		return nil
	}
	for _, part := range parts.Items {
		part = l.inlineRef(part)
		if part != nil && part.Kind == yamldoc.Map && part.Field("allOf") != nil {
			part = l.joinObjects(part)
		}
		if part == nil || !isObject(part) || !m.merge(part) {
			return nil
		}
	}

	return overlaid(m.schema(), n)
}

// inlineRef returns the schema that a part refers to, with the annotations next to the reference.
// It returns nil for an undefined reference or a part that contains itself.
func (l *lowerer) inlineRef(n *yamldoc.Node) *yamldoc.Node {
	for n != nil && n.Field("$ref") != nil {
		ref := n.Value("$ref")
		if slices.Contains(l.joining, ref.Text) {
			l.report(diag.SchemaUnsupported, ref.Span, "a schema that is a part of itself cannot become Go")
			return nil
		}
		l.joining = append(l.joining, ref.Text)
		n = l.target(n)
	}

	return n
}

func isObject(n *yamldoc.Node) bool {
	t := n.Value("type")

	return n.Field("properties") != nil || t != nil && t.Text == "object"
}

// objectMerger collects the keywords of objects.
type objectMerger struct {
	out, properties, required *yamldoc.Node
	additional                *yamldoc.Field
}

// merge adds the keywords of an object. If one of them cannot be merged, it returns false, and the
// merger must be discarded.
func (m *objectMerger) merge(object *yamldoc.Node) bool {
	for _, f := range object.Fields {
		if !m.mergeKeyword(f) {
			return false
		}
	}

	return true
}

// mergeKeyword adds a keyword of an object. It returns false for one that cannot be merged.
func (m *objectMerger) mergeKeyword(f *yamldoc.Field) bool {
	switch {
	case f.Key.Text == "properties" && f.Value.Kind == yamldoc.Map:
		return m.addProperties(f.Value)
	case f.Key.Text == "required" && f.Value.Kind == yamldoc.Seq:
		m.addRequired(f.Value)
		return true
	case f.Key.Text == "additionalProperties":
		return m.setAdditional(f)
	}

	return f.Key.Text == "type" || isAnnotation(f.Key.Text)
}

func (m *objectMerger) addProperties(properties *yamldoc.Node) bool {
	if m.properties == nil {
		m.properties = mapping(properties.Span)
	}
	for _, p := range properties.Fields {
		if m.properties.Field(p.Key.Text) != nil {
			return false
		}
		m.properties.Fields = append(m.properties.Fields, p)
	}

	return true
}

func (m *objectMerger) addRequired(required *yamldoc.Node) {
	if m.required == nil {
		m.required = sequence(required.Span)
	}
	for _, name := range required.Items {
		isListed := func(listed *yamldoc.Node) bool { return listed.Text == name.Text }
		if !slices.ContainsFunc(m.required.Items, isListed) {
			m.required.Items = append(m.required.Items, name)
		}
	}
}

func (m *objectMerger) setAdditional(f *yamldoc.Field) bool {
	if m.additional != nil && m.additional.Value.CompactJSON() != f.Value.CompactJSON() {
		return false
	}
	m.additional = f

	return true
}

// schema returns the merged object.
func (m *objectMerger) schema() *yamldoc.Node {
	if m.properties != nil {
		m.out.Fields = append(m.out.Fields, field("properties", m.properties))
	}
	if m.required != nil {
		m.out.Fields = append(m.out.Fields, field("required", m.required))
	}
	if m.additional != nil {
		m.out.Fields = append(m.out.Fields, m.additional)
	}

	return m.out
}

// Constructors of schema nodes.

func mapping(at source.Span, fields ...*yamldoc.Field) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Map, Span: at, Fields: fields}
}

func sequence(at source.Span, items ...*yamldoc.Node) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Seq, Span: at, Items: items}
}

func word(at source.Span, text string) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.String, Quoted: true, Text: text, Span: at}
}

func field(name string, value *yamldoc.Node) *yamldoc.Field {
	return &yamldoc.Field{Key: word(value.Span, name), Value: value}
}

// setSpan sets the span of a node and of all nodes below it.
func setSpan(n *yamldoc.Node, at source.Span) {
	n.Span = at
	for _, item := range n.Items {
		setSpan(item, at)
	}
	for _, f := range n.Fields {
		setSpan(f.Key, at)
		setSpan(f.Value, at)
	}
}
