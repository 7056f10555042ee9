package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

// SchemaKind is the kind of a schema.
type SchemaKind uint8

// The kinds. Any accepts every JSON value and becomes json.RawMessage.
const (
	SchemaAny SchemaKind = iota + 1
	SchemaObject
	SchemaArray
	SchemaString
	SchemaNumber
	SchemaInteger
	SchemaBoolean
)

// Schema is the part of JSON Schema (draft 2020-12) that becomes Go. An object without additionalProperties is closed:
// the schema that a model is shown says so.
type Schema struct {
	Kind SchemaKind
	Span source.Span
	// Nullable also accepts null: `type: [string, "null"]`.
	Nullable    bool
	Title       string
	Description string
	// Default is the JSON of the default; "" when there is none.
	Default string
	// Enum are the JSON texts of the allowed values in source order; nil when open. A const is an enum of one.
	Enum []string

	// Properties of an object in source order.
	Properties []*Property
	// Additional is the schema of further properties; nil: none are allowed.
	Additional *Schema

	// Items of an array; nil means Any.
	Items       *Schema
	MinItems    *int
	MaxItems    *int
	UniqueItems bool

	// Bounds of a string, in Unicode code points.
	MinLength *int
	MaxLength *int
	// Pattern is a regular expression that is valid in ECMA 262 and in Go; "" when there is none.
	Pattern string
	// GoPattern is Pattern translated so that it means the same in Go's regexp.
	GoPattern string

	// Bounds of a number, as written; "" when there is none.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum, MultipleOf string

	// JSON is the whole schema as a model is shown it: compact, in source order, additionalProperties made explicit.
	JSON string
}

// Property is a property of an object.
type Property struct {
	Name     Text
	Required bool
	Schema   *Schema
}
