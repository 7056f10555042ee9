package schemadoc

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// ofType rewrites a schema of a type, "" for none. Of its keywords those are kept with which it can become Go.
func (f *foreign) ofType(n *yamldoc.Node, kind string, nullable bool, depth int) *yamldoc.Node {
	if _, known := kindByName(kind); !known {
		kind, nullable = "", false
	}
	out := mapping(n.Span)
	switch {
	case nullable:
		out.Fields = append(out.Fields, field("type", sequence(n.Span, word(n.Span, kind), word(n.Span, "null"))))
	case kind != "":
		out.Fields = append(out.Fields, field("type", word(n.Span, kind)))
	}
	switch kind {
	case "object":
		f.object(out, n, depth)
	case "array":
		if items := n.Value("items"); items != nil && items.Kind == yamldoc.Map && n.Get("prefixItems") == nil {
			keep(out, field("items", f.schema(items, depth+1)))
		}
	}
	for _, member := range n.Fields {
		k, known := lookup(member.Key.Text)
		isPlain := !slices.Contains([]string{"properties", "required", "additionalProperties", "items"}, k.name)
		if known && isPlain && (k.name == "enum" || k.name == "const" || kind != "" && strings.Contains(" "+k.types+" ", " "+kind+" ")) {
			keep(out, field(k.name, member.Value))
		}
	}

	return out
}

// object keeps the properties of an object.
func (f *foreign) object(out, n *yamldoc.Node, depth int) {
	properties := mapping(n.Span)
	if given := n.Value("properties"); given != nil {
		for _, p := range given.Fields {
			properties.Fields = append(properties.Fields, field(p.Key.Text, f.schema(p.Value, depth+1)))
		}
	}
	additional := yes(n.Span)
	if given := n.Value("additionalProperties"); given != nil && n.Get("patternProperties") == nil {
		additional = given
		if given.Kind == yamldoc.Map {
			additional = f.schema(given, depth+1)
		}
	}
	required := sequence(n.Span)
	if given := n.Value("required"); given != nil {
		for _, name := range given.Items {
			if slices.ContainsFunc(required.Items, func(have *yamldoc.Node) bool { return have.Text == name.Text }) {
				continue
			}
			if properties.Get(name.Text) == nil {
				properties.Fields = append(properties.Fields, field(name.Text, anything(n.Span)))
			}
			required.Items = append(required.Items, word(n.Span, name.Text))
		}
	}
	keep(out, field("additionalProperties", additional))
	if len(properties.Fields) == 0 {
		return
	}
	keep(out, field("properties", properties))
	if out.Get("properties") == nil { // names that Go cannot have, or two that would be the same
		out.Fields = slices.DeleteFunc(out.Fields, func(m *yamldoc.Field) bool { return m.Key.Text == "additionalProperties" })
		out.Fields = append(out.Fields, field("additionalProperties", yes(n.Span)))
		return
	}
	if len(required.Items) > 0 {
		keep(out, field("required", required))
	}
}

// keep adds a keyword to a schema, unless it then could not become Go.
func keep(out *yamldoc.Node, f *yamldoc.Field) {
	out.Fields = append(out.Fields, f)
	if !fits(out) {
		out.Fields = out.Fields[:len(out.Fields)-1]
	}
}

// orNull lets null fit too.
func orNull(n *yamldoc.Node, nullable bool) *yamldoc.Node {
	if !nullable {
		return n
	}
	out := withNull(n)
	if !fits(out) {
		return anything(n.Span)
	}

	return out
}

// described gives a schema the words of another, if it has none yet.
func described(n, words *yamldoc.Node) *yamldoc.Node {
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for _, key := range []string{"title", "description"} {
		if text := words.Value(key); text != nil && text.Kind == yamldoc.String && n.Get(key) == nil {
			out.Fields = append(out.Fields, field(key, text))
		}
	}

	return &out
}
