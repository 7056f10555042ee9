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

// keyword is a supported keyword. types are the types that it constrains, or "" for all. kind is
// the kind of its value, if that is the only requirement.
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
	{name: "minProperties", types: "object"}, {name: "maxProperties", types: "object"},
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

// unsupported are the other keywords of JSON Schema, with their alternatives.
var unsupported = map[string]string{
	"allOf": "only objects without the same property can be joined, so write its parts into one schema", "anyOf": adviseOneType, "oneOf": adviseOneType, "not": adviseCode,
	"nullable": adviseOneType, "if": adviseCode, "then": adviseCode, "else": adviseCode,
	"dependentSchemas": adviseCode, "dependentRequired": adviseCode, "dependencies": adviseCode,
	"patternProperties": adviseObject, "propertyNames": adviseObject,
	"unevaluatedProperties": adviseObject,
	"prefixItems":           adviseTuple, "additionalItems": adviseTuple, "unevaluatedItems": adviseTuple,
	"contains": adviseCode, "minContains": adviseCode, "maxContains": adviseCode,
	"contentSchema": adviseCode,
	"$anchor":       adviseRef, "$dynamicRef": adviseRef, "$dynamicAnchor": adviseRef, "$recursiveRef": adviseRef,
	"$recursiveAnchor": adviseRef, "$vocabulary": "leave it out",
}

// isHidden reports whether a keyword is useless for a model: definitions are shown where they are
// used.
func isHidden(key string) bool {
	switch key {
	case "$schema", "$id", "$comment", "$defs", "definitions", "$ref":
		return true
	}

	return strings.HasPrefix(key, "x-")
}

func lookupKeyword(name string) (keyword, bool) {
	k := ir.First(supported, func(k keyword) bool { return k.name == name })

	return k, k.name != ""
}

// checkKeywords reports unknown and unsupported keywords.
func (w *schemaBuilder) checkKeywords() {
	for _, f := range w.node.Fields {
		name := f.Key.Text
		_, known := lookupKeyword(name)
		advice, isJSONSchema := unsupported[name]
		switch {
		case known && (name == "$defs" || name == "definitions") && w.node != w.root:
			w.report(diag.SchemaUnsupported, f.Key.Span, "%q may be at the top of the schema only", name)
		case known || strings.HasPrefix(name, "x-"):
		case name == mergeKeyword && w.fields[w.node]:
		case name == mergeKeyword && w.ruled[w.node] != nil:
			w.report(diag.UnusedField, f.Key.Span, "this rule is not used: the field is inside of one that has a rule itself").
				WithHint("take one of the two rules away").Note(w.ruled[w.node].Span, "this rule is for all of the field")
		case name == mergeKeyword:
			w.report(diag.UnknownField, f.Key.Span, "%q is not a keyword of JSON Schema", name).
				WithHint("it is for the fields of a workflow's context")
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
			names := keywordNames()
			if w.fields[w.node] {
				names = append(names, mergeKeyword)
			}
			d := w.report(diag.UnknownField, f.Key.Span, "%q is not a keyword of JSON Schema", name).Suggest(name, names)
			if text, _ := w.node.Value("type").Scalar(); d.Hint == "" && text == "object" && isField(f) {
				d.WithHint("fields of the object are written below properties")
			}
			// From here on the keyword counts as the nearest one, so that required names below
			// `propeties` are not reported.
			if near, ok := diag.Nearest(name, keywordNames()); ok && w.node.Field(near) == nil {
				f.Key.Text = near
			}
		}
	}
}

// choosesObjects reports whether all schemas of a choice are objects.
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

// lowerType lowers the type. It returns false for an unusable type, which has been reported.
func (w *schemaBuilder) lowerType() bool {
	t := w.node.Value("type")
	name := ""
	if t != nil {
		name = w.lowerTypeName(t)
	} else {
		name = w.inferType()
	}
	switch {
	case name == "" && t != nil:
		return false
	case name == "":
		w.schema.Kind = ir.SchemaAny
		return true
	}
	w.schema.Kind, _ = kindByName(name)

	for _, f := range w.node.Fields {
		if k, ok := lookupKeyword(f.Key.Text); ok && k.types != "" && !strings.Contains(" "+k.types+" ", " "+name+" ") {
			w.report(diag.UnusedField, f.Key.Span, "%q says nothing about a value of type %s", k.name, name).Warn()
		}
	}

	return true
}

// lowerTypeName lowers `type` and sets Nullable.
func (w *schemaBuilder) lowerTypeName(t *yamldoc.Node) string {
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
			c.Text = near // the rest of the schema is read with the intended type
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

// inferType infers the type of a schema without `type` from its values, or from its other keywords.
func (w *schemaBuilder) inferType() string {
	for _, key := range []string{"enum", "const"} {
		if f := w.node.Field(key); f != nil {
			return w.inferFromValues(f)
		}
	}
	for _, f := range w.node.Fields {
		if k, _ := lookupKeyword(f.Key.Text); k.types != "" && (!w.lenient || k.name == "properties") {
			name, _, _ := strings.Cut(k.types, " ")
			w.head = `"type":` + words.Quote(name)
			return name
		}
	}

	return ""
}

// inferFromValues returns the type of the values of an enum or const, besides null. It returns ""
// for several types, and for types without enums.
func (w *schemaBuilder) inferFromValues(f *yamldoc.Field) string {
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

// otherTypes maps type names of other languages to JSON Schema.
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

// suggestType suggests a type for a word of another language.
func suggestType(d *diag.Diagnostic, c *yamldoc.Node, name string) {
	d.WithHint("did you mean %q?", name)
	if span, stands := diag.Literally(c.Span, c.Text); stands {
		d.Fixes = nil
		d.WithFix(fmt.Sprintf("replace %q with %q", c.Text, name), span, name)
	}
}

// suggestSchema suggests a schema in place of a bare type name.
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

// isShorthand reports whether the node is no schema, but lists fields by name.
func (w *schemaBuilder) isShorthand() bool {
	return !slices.ContainsFunc(w.node.Fields, func(f *yamldoc.Field) bool {
		_, near := diag.Nearest(f.Key.Text, keywordNames())
		_, known := lookupKeyword(f.Key.Text)
		return near || known || unsupported[f.Key.Text] != "" || !isField(f)
	})
}

// isField reports whether a field describes a field of an object: by a type or a schema.
func isField(f *yamldoc.Field) bool {
	text, _ := f.Value.Scalar()
	_, isType := typeMeant(text)

	return isType || f.Value.Kind == yamldoc.Map
}
