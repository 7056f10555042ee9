package names

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// A schema becomes Go under a root name, such as SearchWebInput. What is nested is named after its path: the property lang
// is SearchWebInputLang, the elements of filters are SearchWebInputFiltersItem, the values of a map
// SearchWebInputLabelsValue. A variant of a union is named after its text, a definition that contains itself after its name. Only
// objects with declared properties, unions and enums of strings have types of their own.

// SchemaRoot returns the path of the schema itself: root, unless that is a pointer to a type which then needs its own name.
func SchemaRoot(root string, s *ir.Schema) string {
	if s.Nullable && IsSchemaType(s) {
		return root + "Value"
	}

	return root
}

// SchemaProperty returns the path of a property, a variant or a definition of the schema at path.
func SchemaProperty(path string, p *ir.Property) string { return path + Part(p.Name.Value) }

// SchemaItem returns the path of the elements of the list at path.
func SchemaItem(path string) string { return path + "Item" }

// SchemaAdditional returns the path of the further properties of the object at path.
func SchemaAdditional(path string) string { return path + "Value" }

// SchemaEnum returns the constant of an enum's value; value is the text itself, not its JSON.
func SchemaEnum(path, value string) string { return path + Part(value) }

// SchemaPattern returns the variable of a string's pattern.
func SchemaPattern(path string) string { return "pattern" + path }

// IsSchemaStruct reports whether an object becomes a struct; otherwise it is a map.
func IsSchemaStruct(s *ir.Schema) bool {
	return s.Kind == ir.SchemaObject && (len(s.Properties) > 0 || s.Additional == nil)
}

// IsSchemaEnum reports whether a schema becomes a named string with constants.
func IsSchemaEnum(s *ir.Schema) bool { return s.Kind == ir.SchemaString && len(s.Enum) > 0 }

// HasSchemaReader reports whether a schema becomes a named type with a function of its own that reads it.
func HasSchemaReader(s *ir.Schema) bool { return IsSchemaStruct(s) || s.Kind == ir.SchemaUnion }

// IsSchemaType reports whether a schema becomes a named Go type wherever it is used.
func IsSchemaType(s *ir.Schema) bool { return HasSchemaReader(s) || IsSchemaEnum(s) }

// SchemaPart is a schema directly below another one.
type SchemaPart struct {
	*ir.Schema
	// Path is that of the part, Place where its values are in those of the schema above: ".name", "[]" or "[name]".
	Path, Place string
	// From is the text that the path comes from; the zero Text where it is that of the schema above.
	From ir.Text
}

// SchemaParts returns what is directly below the schema at path, in source order, and the definitions of a whole schema.
func SchemaParts(path string, s *ir.Schema) []SchemaPart {
	all := ir.Map(s.Properties, func(p *ir.Property) SchemaPart {
		return SchemaPart{p.Schema, SchemaProperty(path, p), "." + p.Name.Value, p.Name}
	})
	if s.Additional != nil {
		all = append(all, SchemaPart{Schema: s.Additional, Path: SchemaAdditional(path), Place: "[name]"})
	}
	if s.Items != nil {
		all = append(all, SchemaPart{Schema: s.Items, Path: SchemaItem(path), Place: "[]"})
	}
	for _, p := range slices.Concat(s.Variants, s.Definitions) {
		all = append(all, SchemaPart{Schema: p.Schema, Path: SchemaProperty(path, p), From: p.Name})
	}

	return all
}

// SchemaIdentifier is an identifier of the output package that a schema needs, and the text that it comes from; for the
// root and what belongs to it the zero Text.
type SchemaIdentifier struct {
	Go   string
	From ir.Text
}

// SchemaIdentifiers returns every identifier that the schema needs under a root name, in source order.
func SchemaIdentifiers(root string, s *ir.Schema) []SchemaIdentifier {
	w := &schemaWalk{}
	w.add(root, ir.Text{})
	path := SchemaRoot(root, s)
	if path != root {
		w.add(path, ir.Text{})
	}
	w.add("read"+path, ir.Text{})
	if path != root {
		w.add("read"+root, ir.Text{})
	}
	w.inside(path, ir.Text{Span: s.Span}, s)

	return w.identifiers
}

// schemaWalk collects what a schema needs.
type schemaWalk struct {
	identifiers []SchemaIdentifier
	// fields are the Go names of one struct each.
	fields [][]SchemaIdentifier
}

func (w *schemaWalk) add(name string, from ir.Text) {
	w.identifiers = append(w.identifiers, SchemaIdentifier{name, from})
}

func (w *schemaWalk) nested(path string, from ir.Text, s *ir.Schema) {
	if IsSchemaType(s) {
		w.add(path, from)
	}
	if HasSchemaReader(s) {
		w.add("read"+path, from)
	}
	w.inside(path, from, s)
}

func (w *schemaWalk) inside(path string, from ir.Text, s *ir.Schema) {
	if s.Pattern != "" && len(s.Enum) == 0 {
		w.add(SchemaPattern(path), from)
	}
	if IsSchemaEnum(s) {
		for i, value := range s.Enum {
			text := ir.Text{Value: EnumText(value), Span: s.EnumAt[i]}
			w.add(SchemaEnum(path, text.Value), text)
		}
	}
	if len(s.Properties) > 0 {
		w.fields = append(w.fields, structFields(s))
	}
	for _, part := range SchemaParts(path, s) {
		if part.From == (ir.Text{}) {
			part.From = from
		}
		w.nested(part.Path, part.From, part.Schema)
	}
}

// AdditionalField is the struct field that holds the properties that an open object does not declare.
const AdditionalField = "Additional"

func structFields(s *ir.Schema) []SchemaIdentifier {
	// Methods that encoding/json calls; a field of that name would be in their place.
	fields := []SchemaIdentifier{{Go: "MarshalJSON"}, {Go: "UnmarshalJSON"}}
	if s.Additional != nil {
		fields = append(fields, SchemaIdentifier{Go: AdditionalField})
	}
	for _, p := range s.Properties {
		fields = append(fields, SchemaIdentifier{Exported(p.Name.Value), p.Name})
	}

	return fields
}

// SchemaCollision is a Go identifier that a schema needs twice. First has no span if the identifier is not the user's.
type SchemaCollision struct {
	Go            string
	First, Second ir.Text
}

// Problem says in a sentence what collides.
func (c SchemaCollision) Problem() string {
	if !c.First.Span.IsValid() {
		return fmt.Sprintf("%q becomes the Go name %s, which the generated code needs itself", c.Second.Value, c.Go)
	}

	return fmt.Sprintf("%q and %q both become the Go name %s", c.First.Value, c.Second.Value, c.Go)
}

// SchemaCollisions returns what collides inside one schema, each place once.
func SchemaCollisions(s *ir.Schema) []SchemaCollision {
	w := &schemaWalk{}
	w.inside("", ir.Text{Span: s.Span}, s)

	var found []SchemaCollision
	reported := map[ir.Text]bool{}
	for _, scope := range append(w.fields, w.identifiers) {
		first := map[string]ir.Text{}
		for _, id := range scope {
			before, twice := first[id.Go]
			switch {
			case !twice:
				first[id.Go] = id.From
			// The read function of a type that collides is not a second diagnostic, nor is a type of a field that does.
			case before != id.From && !reported[id.From]:
				reported[id.From] = true
				found = append(found, SchemaCollision{id.Go, before, id.From})
			}
		}
	}

	return found
}

// EnumText returns the text of a JSON string as ir.Schema keeps the values of an enum.
func EnumText(value string) string {
	var text string
	if err := json.Unmarshal([]byte(value), &text); err != nil {
		return value
	}

	return text
}
