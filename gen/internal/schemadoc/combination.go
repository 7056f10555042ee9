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

// choice are the schemas of anyOf or oneOf, but for null.
type choice struct {
	of       []*yamldoc.Node
	nullable bool
}

// choiceOf returns what a schema chooses among; nothing where it says more than that about its values.
func (l *lowerer) choiceOf(n *yamldoc.Node) choice {
	var c choice
	if t := n.Value("type"); n == nil || t != nil && t.Text != "object" || n.Field("properties") != nil ||
		!l.describesOnly(n, "anyOf", "oneOf", "discriminator", "type") || n.Field("anyOf") != nil && n.Field("oneOf") != nil {
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

// describesOnly reports whether a schema has nothing but descriptions beside some keywords. What others wrote may have more: leaving
// it out lets more values fit.
func (l *lowerer) describesOnly(n *yamldoc.Node, keywords ...string) bool {
	return l.lenient || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
		name := f.Key.Text

		return !slices.Contains(keywords, name) && !besideRef[name] && !strings.HasPrefix(name, "x-")
	})
}

// combination lowers a schema that is made of others: a choice of one and null, a choice of objects that a property distinguishes, or
// objects of which all have to fit. ok is false for any other schema.
func (l *lowerer) combination(n *yamldoc.Node, depth int) (s *ir.Schema, ok bool) {
	reported := l.list.Len()
	c := l.choiceOf(n)
	switch {
	case len(c.of) == 1:
		return l.only(n, c, depth), true
	case len(c.of) > 1:
		if tag := l.tagOf(c.of); tag != "" {
			return l.union(n, c, tag, depth), true
		}
	default:
		if whole := l.join(n); whole != nil {
			return l.schema(whole, depth+1), true
		}
	}

	return nil, l.list.Len() > reported // else the keyword is what is reported
}

// only lowers a choice of one schema, and perhaps null.
func (l *lowerer) only(n *yamldoc.Node, c choice, depth int) *ir.Schema {
	of := overlaid(c.of[0], n)
	for c.nullable && of != nil && of.Field("$ref") != nil {
		switch recursive := l.isRecursive(of.Value("$ref")); {
		case recursive && l.hasName(of, 0):
			return l.use(of, true)
		case recursive:
			return l.unnamed(of.Value("$ref"))
		}
		of = l.target(of)
	}
	if of == nil {
		return nil
	}
	if c.nullable {
		of = withNull(of)
	}

	return l.schema(of, depth+1)
}

// withNull is a schema that null fits too.
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

// tagOf returns the property that distinguishes objects: all of them require it, each with a text of its own. "" without one.
func (l *lowerer) tagOf(objects []*yamldoc.Node) string {
	first := l.seen(objects[0])
	for _, p := range first.Value("properties").Members() {
		texts := map[string]bool{}
		for _, object := range objects {
			if value := tagIn(l.seen(object), p.Key.Text); value != nil {
				texts[value.Text] = true
			}
		}
		if len(texts) == len(objects) {
			return p.Key.Text
		}
	}

	return ""
}

// seen returns the schema that a node is or refers to, and reports nothing.
func (l *lowerer) seen(n *yamldoc.Node) *yamldoc.Node {
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

// tagIn returns the one text that an object requires of a property; nil if there is none.
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

// union lowers a choice of objects that the property tag distinguishes.
func (l *lowerer) union(n *yamldoc.Node, c choice, tag string, depth int) *ir.Schema {
	s := &ir.Schema{Kind: ir.SchemaUnion, Span: n.Span, Nullable: c.nullable, Tag: tag}
	var shown []string
	for _, object := range c.of {
		of := l.schema(object, depth+1)
		if of == nil {
			return nil
		}
		text := tagIn(l.seen(object), tag)
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
	w := &work{lowerer: l, node: remarks(n), schema: s, head: words.Quote(key) + ":[" + strings.Join(shown, ",") + "]"}
	w.finish()

	return s
}

// join returns the schema of allOf whose parts are objects, or of allOf with one part: one schema with the properties of all, of the
// schema itself too. nil for any other schema.
func (l *lowerer) join(n *yamldoc.Node) *yamldoc.Node {
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
	j := &joined{out: mapping(n.Span, field("type", word(n.Span, "object")))}
	for _, part := range append([]*yamldoc.Node{&own}, parts.Items...) {
		if part = l.inlined(part); part != nil && part.Kind == yamldoc.Map && part.Field("allOf") != nil {
			part = l.join(part)
		}
		if part == nil || !j.add(part, part == &own) {
			return nil
		}
	}

	return overlaid(j.schema(), n)
}

// inlined returns the schema that a part refers to, with what is written beside the reference; nil where it leads nowhere or back to
// what is being joined.
func (l *lowerer) inlined(n *yamldoc.Node) *yamldoc.Node {
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

// joined collects the members of objects.
type joined struct {
	out, properties, required *yamldoc.Node
	additional                *yamldoc.Field
}

// add adds an object; false if it is none, or does not go together with those before.
func (j *joined) add(part *yamldoc.Node, isFrame bool) bool {
	if t := part.Value("type"); (t == nil || t.Text != "object") && part.Field("properties") == nil && !isFrame {
		return false
	}
	for _, f := range part.Fields {
		switch name := f.Key.Text; {
		case name == "properties" && f.Value.Kind == yamldoc.Map:
			if j.properties == nil {
				j.properties = mapping(f.Value.Span)
			}
			for _, p := range f.Value.Fields {
				if j.properties.Field(p.Key.Text) != nil {
					return false
				}
				j.properties.Fields = append(j.properties.Fields, p)
			}
		case name == "required" && f.Value.Kind == yamldoc.Seq:
			if j.required == nil {
				j.required = sequence(f.Value.Span)
			}
			for _, name := range f.Value.Items {
				if !slices.ContainsFunc(j.required.Items, func(have *yamldoc.Node) bool { return have.Text == name.Text }) {
					j.required.Items = append(j.required.Items, name)
				}
			}
		case name == "additionalProperties":
			if j.additional != nil && j.additional.Value.CompactJSON() != f.Value.CompactJSON() {
				return false
			}
			j.additional = f
		case name != "type" && !besideRef[name] && !strings.HasPrefix(name, "x-"):
			return false
		}
	}

	return true
}

// schema is the one object.
func (j *joined) schema() *yamldoc.Node {
	if j.properties != nil {
		j.out.Fields = append(j.out.Fields, field("properties", j.properties))
	}
	if j.required != nil {
		j.out.Fields = append(j.out.Fields, field("required", j.required))
	}
	if j.additional != nil {
		j.out.Fields = append(j.out.Fields, j.additional)
	}

	return j.out
}

// The nodes of schemas that are made here.

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

// move gives a node, and all that is in it, one place.
func move(n *yamldoc.Node, at source.Span) {
	n.Span = at
	for _, item := range n.Items {
		move(item, at)
	}
	for _, f := range n.Fields {
		move(f.Key, at)
		move(f.Value, at)
	}
}
