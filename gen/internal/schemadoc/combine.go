package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// combination lowers a schema that is made of others: a choice of one and null, or objects of which all have to fit. ok is false for
// any other schema.
func (l *lowerer) combination(n *yamldoc.Node, depth int) (s *ir.Schema, ok bool) {
	before, reported := len(l.refs), l.list.Len()
	defer func() { l.refs = l.refs[:before] }()

	whole := l.orNull(n)
	if whole == nil {
		if whole = join(n, l.followed); whole == nil {
			return nil, l.list.Len() > reported // else the keyword is what is reported
		}
		if len(n.Value("allOf").Items) > 1 {
			l.refs = l.refs[:before] // the parts are read; a property may be one of them
		}
	}

	return l.schema(whole, depth+1), true
}

// orNull returns the schema of a choice of one and null, with null among its types; nil for any other schema.
func (l *lowerer) orNull(n *yamldoc.Node) *yamldoc.Node {
	only, nullable := alternative(n)
	if only == nil || !nullable || !describesOnly(n, "anyOf", "oneOf") {
		return nil
	}
	if only = l.followed(only); only == nil {
		return nil
	}

	return overlaid(withNull(only), remarks(n))
}

// followed returns the schema that a reference leads to, with what stands beside it; n itself without one, and nil where it leads
// nowhere. Until the schema is lowered, references to it from inside are those to itself.
func (l *lowerer) followed(n *yamldoc.Node) *yamldoc.Node {
	for n.Kind == yamldoc.Map && n.Get("$ref") != nil {
		ref := n.Value("$ref")
		target := l.resolve(ref)
		if target == nil {
			return nil
		}
		l.refs = append(l.refs, ref.Text)
		n = overlaid(target, n)
	}

	return n
}

// describesOnly reports whether a schema has nothing but descriptions beside one of some keywords.
func describesOnly(n *yamldoc.Node, keywords ...string) bool {
	return !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
		name := f.Key.Text

		return !slices.Contains(keywords, name) && !besideRef[name] && !strings.HasPrefix(name, "x-")
	})
}

// remarks is a schema without all but what may stand beside a reference.
func remarks(n *yamldoc.Node) *yamldoc.Node {
	out := mapping(n.Span)
	for _, f := range n.Fields {
		if besideRef[f.Key.Text] {
			out.Fields = append(out.Fields, f)
		}
	}

	return out
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
		}
		out.Fields = append(out.Fields, m)
	}
	if n.Get("type") == nil && n.Get("properties") != nil {
		out.Fields = append(out.Fields, field("type", sequence(n.Span, word(n.Span, "object"), word(n.Span, "null"))))
	}

	return out
}

// join returns the schema of allOf whose parts are objects, or of allOf with one part: one schema with the properties of all, of the
// schema itself too. nil for any other schema. followed returns what a part refers to; nil for nothing.
func join(n *yamldoc.Node, followed func(*yamldoc.Node) *yamldoc.Node) *yamldoc.Node {
	parts := n.Value("allOf")
	if parts == nil || parts.Kind != yamldoc.Seq || len(parts.Items) == 0 {
		return nil
	}
	if len(parts.Items) == 1 && describesOnly(n, "allOf") {
		if only := followed(parts.Items[0]); only != nil && only.Kind == yamldoc.Map {
			return overlaid(only, remarks(n))
		}
		return nil
	}
	own := *n
	own.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f *yamldoc.Field) bool { return f.Key.Text == "allOf" })
	j := &joined{out: mapping(n.Span, field("type", word(n.Span, "object")))}
	for _, part := range append([]*yamldoc.Node{&own}, parts.Items...) {
		if part = followed(part); part != nil && part.Kind == yamldoc.Map && part.Get("allOf") != nil {
			part = join(part, followed)
		}
		if part == nil || !j.add(part, part == &own) {
			return nil
		}
	}

	return overlaid(j.schema(), remarks(n))
}

// joined collects the members of objects.
type joined struct {
	out, properties, required *yamldoc.Node
	additional                *yamldoc.Field
}

// add adds an object; false if it is none, or does not go together with those before.
func (j *joined) add(part *yamldoc.Node, isFrame bool) bool {
	if t := part.Value("type"); (t == nil || t.Text != "object") && part.Get("properties") == nil && !isFrame {
		return false
	}
	for _, f := range part.Fields {
		switch name := f.Key.Text; {
		case name == "properties" && f.Value.Kind == yamldoc.Map:
			if j.properties == nil {
				j.properties = mapping(f.Value.Span)
			}
			for _, p := range f.Value.Fields {
				if j.properties.Get(p.Key.Text) != nil {
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
			if j.additional != nil && toJSON(j.additional.Value) != toJSON(f.Value) {
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
