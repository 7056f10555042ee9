package schemadoc

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// otherTypes are words of other languages for the types of JSON Schema.
var otherTypes = map[string]string{
	"int": "integer", "int64": "integer", "long": "integer",
	"float": "number", "float64": "number", "double": "number", "decimal": "number",
	"str": "string", "text": "string", "bool": "boolean", "list": "array", "dict": "object", "map": "object",
}

// typeMeant returns the type that a word means.
func typeMeant(text string) (name string, ok bool) {
	if _, known := kindByName(text); known {
		return text, true
	}
	if other := otherTypes[text]; other != "" {
		return other, true
	}

	return "", false
}

// suggestType proposes a type for the word of another language that c is.
func suggestType(d *diag.Diagnostic, c *yamldoc.Node, name string) {
	d.WithHint("did you mean %q?", name)
	if span, stands := diag.Literally(c.Span, c.Text); stands {
		d.Fixes = nil
		d.WithFix(fmt.Sprintf("replace %q with %q", c.Text, name), span, name)
	}
}

// suggestSchema proposes a schema where the name of a type stands alone.
func suggestSchema(d *diag.Diagnostic, n *yamldoc.Node) {
	text, _ := n.Scalar()
	name, ok := typeMeant(text)
	if !ok {
		return
	}
	schema := "{type: " + name + "}"
	d.WithHint("write %s", schema)
	if _, stands := diag.Literally(n.Span, text); stands {
		d.WithFix("write "+schema, n.Span, schema)
	}
}

// isShorthand reports whether the schema is none: its keys are names of fields, and nothing says so.
func (w *work) isShorthand() bool {
	return !slices.ContainsFunc(w.node.Fields, func(f *yamldoc.Field) bool {
		_, near := diag.Nearest(f.Key.Text, keywordNames())
		_, known := lookup(f.Key.Text)
		return near || known || unsupported[f.Key.Text] != "" || !isField(f)
	})
}

// isField reports whether a field has what describes a field of an object: a type or a schema.
func isField(f *yamldoc.Field) bool {
	text, _ := f.Value.Scalar()
	_, isType := typeMeant(text)

	return isType || f.Value.Kind == yamldoc.Map
}

// shorthand reports, at the first of them, fields that are where their schema should be.
func (w *work) shorthand(f *yamldoc.Field) {
	d := w.report(diag.UnknownField, f.Key.Span, "%q is not a keyword of JSON Schema", f.Key.Text)
	d.WithHint("fields are written below properties: {type: object, properties: {%s: …}}", f.Key.Text)
}

// hintProperties says where a field belongs that stands beside the keywords of its object.
func (w *work) hintProperties(d *diag.Diagnostic, f *yamldoc.Field) {
	if text, _ := w.node.Value("type").Scalar(); d.Hint == "" && text == "object" && isField(f) {
		d.WithHint("fields of the object are written below properties")
	}
}
