package schemadoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// keyword is a supported keyword, the types that it constrains, "" for all, and the kind of its value, where that is all that is asked
// of it.
type keyword struct {
	name  string
	types string
	kind  yamldoc.Kind
}

// supported are the keywords in the order of the README.
var supported = []keyword{
	{name: "type"}, {name: "enum"}, {name: "const"}, {name: "default"}, {name: "$ref"}, {name: "$defs"}, {name: "definitions"},
	{"title", "", yamldoc.String}, {"description", "", yamldoc.String}, {"examples", "", yamldoc.Seq}, {"format", "", yamldoc.String},
	{"deprecated", "", yamldoc.Bool}, {"readOnly", "", yamldoc.Bool}, {"writeOnly", "", yamldoc.Bool},
	{"contentEncoding", "", yamldoc.String}, {"contentMediaType", "", yamldoc.String},
	{"$comment", "", yamldoc.String}, {"$schema", "", yamldoc.String}, {"$id", "", yamldoc.String},
	{name: "properties", types: "object"}, {"required", "object", yamldoc.Seq}, {name: "additionalProperties", types: "object"},
	{name: "items", types: "array"}, {name: "minItems", types: "array"}, {name: "maxItems", types: "array"}, {"uniqueItems", "array", yamldoc.Bool},
	{name: "minLength", types: "string"}, {name: "maxLength", types: "string"}, {"pattern", "string", yamldoc.String},
	{name: "minimum", types: "number integer"}, {name: "maximum", types: "number integer"}, {name: "exclusiveMinimum", types: "number integer"},
	{name: "exclusiveMaximum", types: "number integer"}, {name: "multipleOf", types: "number integer"},
}

const (
	adviseOneType = `give the value one type; where it may be null too, write type: [string, "null"]`
	adviseObject  = "list the properties, or use additionalProperties for unknown names"
	adviseTag     = "objects are distinguished by a property, such as kind, that each requires with a const of its own"
	adviseTuple   = "use an object with a name for each position"
	adviseCode    = "check it in the Go code that receives the value"
	adviseRef     = "use $ref to a schema below $defs"
)

// unsupported are the further keywords of JSON Schema, and what to do instead.
var unsupported = map[string]string{
	"allOf": "only objects without the same property can be joined, so write its parts into one schema", "anyOf": adviseOneType, "oneOf": adviseOneType, "not": adviseCode,
	"nullable": adviseOneType, "if": adviseCode, "then": adviseCode, "else": adviseCode,
	"dependentSchemas": adviseCode, "dependentRequired": adviseCode, "dependencies": adviseCode,
	"patternProperties": adviseObject, "propertyNames": adviseObject, "minProperties": adviseCode,
	"maxProperties": adviseCode, "unevaluatedProperties": adviseObject,
	"prefixItems": adviseTuple, "additionalItems": adviseTuple, "unevaluatedItems": adviseTuple,
	"contains": adviseCode, "minContains": adviseCode, "maxContains": adviseCode,
	"contentSchema": adviseCode,
	"$anchor":       adviseRef, "$dynamicRef": adviseRef, "$dynamicAnchor": adviseRef, "$recursiveRef": adviseRef,
	"$recursiveAnchor": adviseRef, "$vocabulary": "leave it out",
}

// isHidden reports whether a keyword is of no use to a model: definitions are where they are used.
func isHidden(key string) bool {
	switch key {
	case "$schema", "$id", "$comment", "$defs", "definitions", "$ref":
		return true
	}

	return strings.HasPrefix(key, "x-")
}

func lookup(name string) (keyword, bool) {
	k := ir.First(supported, func(k keyword) bool { return k.name == name })

	return k, k.name != ""
}

// keywords reports the fields that are no keywords, or none that can become Go.
func (w *work) keywords() {
	for _, f := range w.node.Fields {
		name := f.Key.Text
		_, known := lookup(name)
		advice, isJSONSchema := unsupported[name]
		switch {
		case known && (name == "$defs" || name == "definitions") && w.node != w.root:
			w.report(diag.SchemaUnsupported, f.Key.Span, "%q may be at the top of the schema only", name)
		case known || strings.HasPrefix(name, "x-"):
		case isJSONSchema:
			if slices.Contains([]string{"anyOf", "oneOf"}, name) && choosesObjects(f.Value) {
				advice = adviseTag
			}
			w.report(diag.SchemaUnsupported, f.Key.Span, "JSON Schema's %q cannot become Go: %s", name, advice)
		case w.isShorthand():
			w.report(diag.UnknownField, f.Key.Span, "%q is not a keyword of JSON Schema", name).
				WithHint("fields are written below properties: {type: object, properties: {%s: …}}", name)
			return
		default:
			d := w.report(diag.UnknownField, f.Key.Span, "%q is not a keyword of JSON Schema", name).Suggest(name, keywordNames())
			if text, _ := w.node.Value("type").Scalar(); d.Hint == "" && text == "object" && isField(f) {
				d.WithHint("fields of the object are written below properties")
			}
			// From here on the schema is read as it was meant: required names below `propeties` are no mistake of their own.
			if near, ok := diag.Nearest(name, keywordNames()); ok && w.node.Field(near) == nil {
				f.Key.Text = near
			}
		}
	}
}

// choosesObjects reports whether a choice has objects alone.
func choosesObjects(list *yamldoc.Node) bool {
	return len(list.Items) > 0 && !slices.ContainsFunc(list.Items, func(n *yamldoc.Node) bool { return n.Field("properties") == nil && n.Field("$ref") == nil })
}

func keywordNames() []string {
	return ir.Map(supported, func(k keyword) string { return k.name })
}

// kindNames are the names of the types, in the order of their kinds.
var kindNames = []string{"object", "array", "string", "number", "integer", "boolean"}

func kindByName(name string) (ir.SchemaKind, bool) {
	i := slices.Index(kindNames, name)

	return ir.SchemaObject + ir.SchemaKind(i), i >= 0
}

func kindName(kind ir.SchemaKind) string { return kindNames[kind-ir.SchemaObject] }

// kind determines the type; false if there is none that can be used, which has been reported.
func (w *work) kind() bool {
	name := ""
	if t := w.node.Value("type"); t != nil {
		if name = w.typeName(t); name == "" {
			return false
		}
	} else if name = w.inferType(); name == "" {
		w.schema.Kind = ir.SchemaAny
		return true
	}
	w.schema.Kind, _ = kindByName(name)

	for _, f := range w.node.Fields {
		if k, ok := lookup(f.Key.Text); ok && k.types != "" && !strings.Contains(" "+k.types+" ", " "+name+" ") {
			w.report(diag.UnusedField, f.Key.Span, "%q says nothing about a value of type %s", k.name, name).Warn()
		}
	}

	return true
}

// typeName reads `type` and sets Nullable.
func (w *work) typeName(t *yamldoc.Node) string {
	choices := []*yamldoc.Node{t}
	if t.Kind == yamldoc.Seq {
		choices = t.Items
	}

	var names []string
	for _, c := range choices {
		_, known := kindByName(c.Text)
		switch {
		case c.Kind == yamldoc.Null:
			w.report(diag.BadValue, c.Span, "the type null is written in quotes").WithHint(`write "null"`)
			return ""
		case c.Kind != yamldoc.String:
			w.report(diag.WrongType, c.Span, "a type must be text, found %s", c.Kind)
			return ""
		case c.Text == "null" && t.Kind == yamldoc.Seq:
			w.schema.Nullable = true
		case c.Text == "null":
			w.report(diag.SchemaUnsupported, c.Span, "a value that is always null cannot become Go: leave it out")
			return ""
		case !known && w.lenient:
			return ""
		case !known:
			d := w.report(diag.BadValue, c.Span, "%q is not a type: expected object, array, string, number, integer or boolean", c.Text).
				Suggest(c.Text, kindNames)
			near, ok := diag.Nearest(c.Text, kindNames)
			if other := otherTypes[c.Text]; other != "" {
				near, ok = other, true
				suggestType(d, c, other)
			}
			if !ok {
				return ""
			}
			c.Text = near // the rest of the schema is read as it was meant
			names = append(names, near)
		default:
			names = append(names, c.Text)
		}
	}

	switch {
	case len(names) == 0:
		w.report(diag.SchemaUnsupported, t.Span, "a type besides null is missing")
		return ""
	case len(names) > 1:
		w.report(diag.SchemaUnsupported, t.Span, "a value of more than one type cannot become Go: %s", adviseOneType)
		return ""
	}

	return names[0]
}

// inferType guesses the type that a schema without `type` means: from the values that it lists, else from what it constrains.
func (w *work) inferType() string {
	for _, key := range []string{"enum", "const"} {
		if f := w.node.Field(key); f != nil {
			return w.inferFromValues(f)
		}
	}
	for _, f := range w.node.Fields {
		if k, _ := lookup(f.Key.Text); k.types != "" && (!w.lenient || k.name == "properties") {
			name, _, _ := strings.Cut(k.types, " ")
			w.head = `"type":` + words.Quote(name)
			return name
		}
	}

	return ""
}

// inferFromValues returns the one type of an enum's or const's values besides null; "" if they have several, or one that
// enums cannot have.
func (w *work) inferFromValues(f *yamldoc.Field) string {
	values := []*yamldoc.Node{f.Value}
	if f.Key.Text == "enum" && f.Value.Kind == yamldoc.Seq {
		values = f.Value.Items
	}

	name, nullable := "", false
	for _, v := range values {
		this := v.Kind.JSONTypes()[0]
		switch {
		case v.Kind == yamldoc.Null:
			nullable = true
			continue
		case v.Kind == yamldoc.Seq || v.Kind == yamldoc.Map:
			return ""
		case name == "integer" && this == "number" || name == "number" && this == "integer":
			this = "number"
		case name != "" && this != name:
			return ""
		}
		name = this
	}

	w.schema.Nullable = nullable && name != ""
	w.head = `"type":` + words.Quote(name)
	if w.schema.Nullable {
		w.head = `"type":[` + words.Quote(name) + `,"null"]`
	}

	return name
}

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
	name, ok = otherTypes[text]

	return name, ok
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
