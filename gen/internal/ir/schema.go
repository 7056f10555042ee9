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
	// SchemaUnion is one of several objects, which a property distinguishes. It becomes an interface.
	SchemaUnion
	// SchemaRef means a schema that contains itself: the whole schema, or one of its definitions.
	SchemaRef
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
	// EnumAt are the places of the values.
	EnumAt []source.Span

	// Target is what a SchemaRef means.
	Target *Schema
	// Definitions, of a whole schema alone, are those that contain themselves, in the order of their first use.
	Definitions []*Property

	// Tag is the property that distinguishes the Variants of a union. Each is an object, or a reference to one, that requires the
	// property with the text that is the variant's name.
	Tag      string
	Variants []*Property

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

// Followed returns what a reference means, as nullable as the reference; any other schema is returned itself.
func (s *Schema) Followed() *Schema {
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

// Bound is a bound of numbers.
type Bound struct {
	Value *big.Rat // nil: there is none
	// Open says that the bound itself is not allowed.
	Open bool
	// Keyword is the keyword that says so.
	Keyword string
}

// Rational returns the exact value of a number as JSON writes it; nil for what is none.
func Rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}

	return r
}

// Range returns the tighter lower and upper bound of the numbers that fit the schema.
func (s *Schema) Range() (low, high Bound) {
	return tighter(Bound{Rational(s.Minimum), false, "minimum"}, Bound{Rational(s.ExclusiveMinimum), true, "exclusiveMinimum"}, 1),
		tighter(Bound{Rational(s.Maximum), false, "maximum"}, Bound{Rational(s.ExclusiveMaximum), true, "exclusiveMaximum"}, -1)
}

// InRange reports whether a number is within the bounds of the schema.
func (s *Schema) InRange(n *big.Rat) bool {
	low, high := s.Range()
	beyond := func(bound Bound, sign int) bool {
		return bound.Value != nil && (n.Cmp(bound.Value) == sign || bound.Open && n.Cmp(bound.Value) == 0)
	}

	return !beyond(low, -1) && !beyond(high, 1)
}

// tighter returns the bound that leaves fewer numbers: with a sign of 1 the larger one, with -1 the smaller.
func tighter(closed, open Bound, sign int) Bound {
	if open.Value == nil || closed.Value != nil && closed.Value.Cmp(open.Value)*sign > 0 {
		return closed
	}

	return open
}

// WholeRange returns the first and the last whole number that the bounds of the schema allow; nil where it has no bound.
func (s *Schema) WholeRange() (first, last *big.Int) {
	low, high := s.Range()
	if low.Value != nil {
		low.Value.Neg(low.Value)
		first = lastWhole(low)
		first.Neg(first)
	}
	if high.Value != nil {
		last = lastWhole(high)
	}

	return first, last
}

// lastWhole returns the largest whole number below an upper bound.
func lastWhole(b Bound) *big.Int {
	n := new(big.Int).Div(b.Value.Num(), b.Value.Denom()) // Euclidean, and the denominator is positive
	if b.Open && b.Value.IsInt() {
		n.Sub(n, big.NewInt(1))
	}

	return n
}

// FloatKeeps reports whether a float64 gives a number back as it is written.
func FloatKeeps(text string) bool {
	f, err := strconv.ParseFloat(text, 64)

	return err == nil && Rational(text).Cmp(Rational(strconv.FormatFloat(f, 'g', -1, 64))) == 0
}

// MayHave reports whether a value of the schema may have a nested field.
func (s *Schema) MayHave(field []string) bool {
	for _, name := range field {
		s = s.Followed()
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
