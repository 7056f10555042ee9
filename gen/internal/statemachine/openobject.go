package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// openObjects lets the objects of a schema for which no properties are written have any: {type: object} means a mapping
// of whatever in these files, and not an empty one.
func openObjects(n *yamldoc.Node) {
	if n == nil || n.Kind != yamldoc.Map {
		return
	}
	if isObject(n.Value("type")) && n.Get("properties") == nil && n.Get("additionalProperties") == nil {
		n.Fields = append(n.Fields, &yamldoc.Field{
			Key:   &yamldoc.Node{Kind: yamldoc.String, Text: "additionalProperties", Span: n.Span},
			Value: &yamldoc.Node{Kind: yamldoc.Bool, Text: "true", Span: n.Span},
		})
	}
	for _, name := range []string{"items", "additionalProperties"} {
		openObjects(n.Value(name))
	}
	for _, name := range []string{"properties", "$defs", "definitions"} {
		if group := n.Value(name); group != nil && group.Kind == yamldoc.Map {
			for _, f := range group.Fields {
				openObjects(f.Value)
			}
		}
	}
}

// isObject reports whether a type is object, or a list of types with object in it.
func isObject(t *yamldoc.Node) bool {
	if t == nil {
		return false
	}

	return t.Text == "object" || slices.ContainsFunc(t.Items, isObject)
}
