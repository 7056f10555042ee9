package ir

import (
	"math/big"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

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
	// SchemaUnion is one of several objects, which a property distinguishes. It becomes an
	// interface.
	SchemaUnion
	// SchemaRef is a schema that contains itself: the whole schema, or one of its definitions.
	SchemaRef
)

// Schema is the part of JSON Schema (draft 2020-12) that becomes Go. An object without
// additionalProperties is closed. The schema that a model sees has that made explicit.
type Schema struct {
	Kind SchemaKind
	Span source.Span
	// Nullable also accepts null: `type: [string, "null"]`.
	Nullable    bool
	Title       string
	Description string
	// Default is the JSON of the default; "" without one.
	Default string
	// Enum are the JSON texts of the allowed values in source order; nil when open. A const is an
	// enum of one.
	Enum []string
	// EnumAt are the positions of the values.
	EnumAt []source.Span

	// Target is the target of a SchemaRef.
	Target *Schema
	// Definitions are the definitions that contain themselves, in the order of their first use.
	// Only a whole schema has them.
	Definitions []*Property

	// Tag is the property that distinguishes the Variants of a union. Each variant is an object, or
	// a reference to one. It requires the property, whose text is the name of the variant.
	Tag      string
	Variants []*Property

	// Alternatives are the schemas of which a value of kind Any has one, because several steps can give
	// it; nil if they are not known. No schema of the source has them.
	Alternatives []*Schema `shape:"-"`

	// Properties of an object in source order.
	Properties []*Property
	// Additional is the schema of further properties; nil if none are allowed.
	Additional *Schema

	// MinProperties and MaxProperties bound how many properties an object without Properties has.
	MinProperties *int
	MaxProperties *int

	// Items of an array; nil for any items.
	Items       *Schema
	MinItems    *int
	MaxItems    *int
	UniqueItems bool

	// Bounds of a string, in Unicode code points.
	MinLength *int
	MaxLength *int
	// Pattern is a regular expression that is valid in ECMA 262 and in Go; "" without one.
	Pattern string
	// GoPattern is Pattern translated so that it means the same in Go's regexp.
	GoPattern string

	// Bounds of a number, as written; "" without one.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum, MultipleOf string

	// Merge is how a field of the context combines the values that are written to it; "" if a write
	// replaces the value.
	Merge FieldMerge

	// JSON is the whole schema as a model sees it: compact, in source order, additionalProperties
	// made explicit.
	JSON string
}

// Resolved returns the target of a reference, as nullable as the reference. It returns any other
// schema itself.
func (s *Schema) Resolved() *Schema {
	if s == nil || s.Kind != SchemaRef {
		return s
	}
	target := *s.Target
	target.Nullable = s.Nullable

	return &target
}

// Property is a property of an object, a variant of a union or a definition.
type Property struct {
	Name     Text
	Required bool
	Schema   *Schema
}

// IsAlwaysThere reports whether each context with a declared property has a value of it, because it
// is required or has a default.
func (p *Property) IsAlwaysThere() bool {
	hasDefault := p.Schema != nil && p.Schema.Default != "" && p.Schema.Default != "null"

	return p.Required || hasDefault
}

// Bound is a bound of numbers.
type Bound struct {
	Value *big.Rat // nil without a bound
	// Open excludes the bound itself.
	Open bool
	// Keyword is the keyword of the bound.
	Keyword string
}

// ParseRational returns the exact value of a JSON number; nil if the text is not a number.
func ParseRational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}

	return r
}

// Range returns the tighter lower and upper bound of the schema's numbers.
func (s *Schema) Range() (low, high Bound) {
	return tighterBound(Bound{ParseRational(s.Minimum), false, "minimum"}, Bound{ParseRational(s.ExclusiveMinimum), true, "exclusiveMinimum"}, 1),
		tighterBound(Bound{ParseRational(s.Maximum), false, "maximum"}, Bound{ParseRational(s.ExclusiveMaximum), true, "exclusiveMaximum"}, -1)
}

// InRange reports whether a number is within the bounds of the schema.
func (s *Schema) InRange(n *big.Rat) bool {
	low, high := s.Range()
	beyond := func(bound Bound, sign int) bool {
		return bound.Value != nil && (n.Cmp(bound.Value) == sign || bound.Open && n.Cmp(bound.Value) == 0)
	}

	return !beyond(low, -1) && !beyond(high, 1)
}

// tighterBound returns the bound that permits fewer numbers: the larger one for a sign of 1, the
// smaller one for -1.
func tighterBound(closed, open Bound, sign int) Bound {
	if open.Value == nil || closed.Value != nil && closed.Value.Cmp(open.Value)*sign > 0 {
		return closed
	}

	return open
}

// IntegerRange returns the first and the last whole number within the bounds of the schema; nil
// without a bound.
func (s *Schema) IntegerRange() (first, last *big.Int) {
	low, high := s.Range()
	if low.Value != nil {
		low.Value.Neg(low.Value)
		first = largestInteger(low)
		first.Neg(first)
	}
	if high.Value != nil {
		last = largestInteger(high)
	}

	return first, last
}

// largestInteger returns the largest whole number within an upper bound.
func largestInteger(b Bound) *big.Int {
	n := new(big.Int).Div(b.Value.Num(), b.Value.Denom()) // Euclidean, and the denominator is positive
	if b.Open && b.Value.IsInt() {
		n.Sub(n, big.NewInt(1))
	}

	return n
}

// IsExactFloat reports whether a float64 represents a number exactly as written.
func IsExactFloat(text string) bool {
	f, err := strconv.ParseFloat(text, 64)

	return err == nil && ParseRational(text).Cmp(ParseRational(strconv.FormatFloat(f, 'g', -1, 64))) == 0
}

// MayHaveField reports whether a value of the schema may have a nested field.
func (s *Schema) MayHaveField(field []string) bool {
	for _, name := range field {
		s = s.Resolved()
		isClosed := s != nil && s.Kind == SchemaObject && s.Additional == nil && len(s.Properties) > 0
		if !isClosed {
			return true
		}
		p := s.Property(name)
		if p == nil {
			return false
		}
		s = p.Schema
	}

	return true
}
