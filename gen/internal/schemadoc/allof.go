package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

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
		if part = l.inlined(part); part != nil && part.Kind == yamldoc.Map && part.Get("allOf") != nil {
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
	for n != nil && n.Get("$ref") != nil {
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
			if j.additional != nil && j.additional.Value.Compact() != f.Value.Compact() {
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
