package names

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// A schema becomes Go under a root name, such as SearchWebInput. Nested types are named after their
// paths: the property lang is SearchWebInputLang, the elements of filters are
// SearchWebInputFiltersItem, and the values of a map SearchWebInputLabelsValue. A variant of a
// union is named after its text, and a definition that contains itself after its name. Only objects
// with declared properties, unions and enums of strings have types of their own.

// SchemaRoot returns the path of the schema itself. It is root unless root becomes a pointer, whose
// type needs its own name.
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

// SchemaEnum returns the constant of an enum's value. value is the text itself, not its JSON.
func SchemaEnum(path, value string) string { return path + Part(value) }

// SchemaPattern returns the variable with a string's pattern.
func SchemaPattern(path string) string { return "pattern" + path }

// IsSchemaStruct reports whether an object becomes a struct. Other objects become maps.
func IsSchemaStruct(s *ir.Schema) bool {
	return s.Kind == ir.SchemaObject && (len(s.Properties) > 0 || s.Additional == nil)
}

// IsSchemaEnum reports whether a schema becomes a named string with constants.
func IsSchemaEnum(s *ir.Schema) bool { return s.Kind == ir.SchemaString && len(s.Enum) > 0 }

// HasSchemaReader reports whether a schema becomes a named type that is read by a function of its
// own.
func HasSchemaReader(s *ir.Schema) bool { return IsSchemaStruct(s) || s.Kind == ir.SchemaUnion }

// IsSchemaType reports whether a schema becomes a named Go type wherever it is used.
func IsSchemaType(s *ir.Schema) bool { return HasSchemaReader(s) || IsSchemaEnum(s) }

// SchemaPart is a schema or one of its descendants.
type SchemaPart struct {
	*ir.Schema
	// Path is the path of the part. Place is the position of its values in the values of the whole
	// schema: "", "name", "name[]" or "[name]".
	Path, Place string
	// From is the text from which the path is made; the parent's From if there is no text.
	From ir.Text
}

// SchemaParts returns the schema at path and its descendants, including definitions, in source
// order and parents first.
func SchemaParts(path string, s *ir.Schema) []SchemaPart {
	return SchemaPart{Schema: s, Path: path, From: ir.Text{Span: s.Span}}.withDescendants()
}

func (s SchemaPart) withDescendants() []SchemaPart {
	var below []SchemaPart
	for _, p := range s.Properties {
		below = append(below, SchemaPart{p.Schema, SchemaProperty(s.Path, p), s.Place + "." + p.Name.Value, p.Name})
	}
	if s.Additional != nil {
		below = append(below, SchemaPart{s.Additional, SchemaAdditional(s.Path), s.Place + "[name]", s.From})
	}
	if s.Items != nil {
		below = append(below, SchemaPart{s.Items, SchemaItem(s.Path), s.Place + "[]", s.From})
	}
	for _, p := range slices.Concat(s.Variants, s.Definitions) {
		below = append(below, SchemaPart{p.Schema, SchemaProperty(s.Path, p), s.Place, p.Name})
	}
	s.Place = strings.TrimPrefix(s.Place, ".")

	return append([]SchemaPart{s}, ir.FlatMap(below, SchemaPart.withDescendants)...)
}

// SchemaIdentifier is an identifier that a schema needs in the output package, and the text from
// which it is made. From is the zero Text for the root and its functions.
type SchemaIdentifier struct {
	Go   string
	From ir.Text
}

// SchemaIdentifiers returns every identifier that the schema needs under a root name, in source
// order.
func SchemaIdentifiers(root string, s *ir.Schema) []SchemaIdentifier {
	path := SchemaRoot(root, s)
	identifiers := []SchemaIdentifier{{Go: root}, {Go: "read" + path}}
	if path != root {
		identifiers = append(identifiers, SchemaIdentifier{Go: path}, SchemaIdentifier{Go: "read" + root})
	}

	return append(identifiers, belowRoot(path, s)...)
}

// belowRoot returns the identifiers that the schema at path needs, without the identifiers of the
// schema itself.
func belowRoot(path string, s *ir.Schema) []SchemaIdentifier {
	var identifiers []SchemaIdentifier
	for i, part := range SchemaParts(path, s) {
		if i > 0 && IsSchemaType(part.Schema) {
			identifiers = append(identifiers, SchemaIdentifier{part.Path, part.From})
		}
		if i > 0 && HasSchemaReader(part.Schema) {
			identifiers = append(identifiers, SchemaIdentifier{"read" + part.Path, part.From})
		}
		if part.Pattern != "" && len(part.Enum) == 0 {
			identifiers = append(identifiers, SchemaIdentifier{SchemaPattern(part.Path), part.From})
		}
		if IsSchemaEnum(part.Schema) {
			for i, value := range part.Enum {
				text := ir.Text{Value: EnumText(value)}
				if i < len(part.EnumAt) { // the values of a builtin are not in a file
					text.Span = part.EnumAt[i]
				}
				identifiers = append(identifiers, SchemaIdentifier{SchemaEnum(part.Path, text.Value), text})
			}
		}
	}

	return identifiers
}

// AdditionalField is the struct field with the undeclared properties of an open object.
const AdditionalField = "Additional"

func structFields(s *ir.Schema) []SchemaIdentifier {
	// encoding/json calls these methods, and a field with such a name would replace them.
	fields := []SchemaIdentifier{{Go: "MarshalJSON"}, {Go: "UnmarshalJSON"}}
	if s.Additional != nil {
		fields = append(fields, SchemaIdentifier{Go: AdditionalField})
	}
	for _, p := range s.Properties {
		fields = append(fields, SchemaIdentifier{Exported(p.Name.Value), p.Name})
	}

	return fields
}

// SchemaCollision is a Go identifier that a schema needs twice. First has no span if the identifier
// is not the user's.
type SchemaCollision struct {
	Go            string
	First, Second ir.Text
}

// Problem describes the collision in a sentence.
func (c SchemaCollision) Problem() string {
	if !c.First.Span.IsValid() {
		return fmt.Sprintf("%q becomes the Go name %s, which the generated code needs itself", c.Second.Value, c.Go)
	}

	return fmt.Sprintf("%q and %q both become the Go name %s", c.First.Value, c.Second.Value, c.Go)
}

// SchemaCollisions returns the collisions inside one schema, each position once.
func SchemaCollisions(s *ir.Schema) []SchemaCollision {
	var scopes [][]SchemaIdentifier
	for _, part := range SchemaParts("", s) {
		if len(part.Properties) > 0 {
			scopes = append(scopes, structFields(part.Schema))
		}
	}
	var found []SchemaCollision
	reported := map[ir.Text]bool{}
	for _, scope := range append(scopes, belowRoot("", s)) {
		first := map[string]ir.Text{}
		for _, id := range scope {
			before, twice := first[id.Go]
			switch {
			case !twice:
				first[id.Go] = id.From
			// The read function and the field of a type that collides are not reported again.
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
