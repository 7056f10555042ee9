package sample

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Fits reports whether a JSON value fits a schema. Every value fits a nil schema.
func Fits(s *ir.Schema, text string) bool { return DescribeMisfit(s, text) == "" }

// DescribeMisfit returns why a JSON value does not fit a schema, or "". It reads the value as generated
// code does.
func DescribeMisfit(s *ir.Schema, text string) string {
	fits := rt.Reader[any](func(v *rt.JSON) any {
		checkValue(s, v)
		return nil
	})
	if err := fits.Check([]byte(text)); err != nil {
		return err.Error()
	}

	return ""
}

// checkValue records in v how its value does not fit a schema.
func checkValue(s *ir.Schema, v *rt.JSON) {
	if s == nil || v.IsNull() && acceptsNull(s) {
		return
	}
	isRight := true
	switch s.Kind {
	case ir.SchemaRef:
		checkValue(s.Resolved(), v)
		return
	case ir.SchemaUnion:
		tag := v.Tag(s.Tag, ir.Map(s.Variants, func(of *ir.Property) string { return of.Name.Value })...)
		if of := ir.First(s.Variants, func(of *ir.Property) bool { return of.Name.Value == tag }); of != nil {
			checkValue(of.Schema, v)
		}
		return
	case ir.SchemaObject:
		checkObject(s, v)
		return
	case ir.SchemaArray:
		for _, item := range v.Items() {
			checkValue(s.Items, item)
		}
		isRight = isCountWithin(v.Len(), s.MinItems, s.MaxItems) && (!s.UniqueItems || v.Distinct())
	case ir.SchemaString:
		isRight = textRule(s).accepts(v.Text())
	case ir.SchemaInteger:
		isRight = fitsNumber(s, new(big.Rat).SetInt64(v.Int()))
	case ir.SchemaNumber:
		isRight = fitsNumber(s, ir.ParseRational(strconv.FormatFloat(v.Float(), 'g', -1, 64)))
	case ir.SchemaBoolean:
		v.Bool()
	}
	isSame := func(text string) bool {
		return CanonicalText(decodeJSON(text)) == CanonicalText(decodeJSON(v.Literal()))
	}
	if !isRight || s.Enum != nil && !slices.ContainsFunc(s.Enum, isSame) {
		v.Want(s.ExpectedText())
	}
}

func checkObject(s *ir.Schema, v *rt.JSON) {
	v.Require(s.RequiredNames()...)
	count := 0
	for name, member := range v.Members() {
		count++
		schema := s.Additional
		if p := s.Property(name); p != nil {
			schema = p.Schema
		} else if schema == nil {
			member.Unknown(s.PropertyNames()...)
			continue
		}
		checkValue(schema, member)
	}
	if !isCountWithin(count, s.MinProperties, s.MaxProperties) {
		v.Want(s.ExpectedText())
	}
}

func acceptsNull(s *ir.Schema) bool {
	return s.Nullable || s.Kind == ir.SchemaAny && s.Enum == nil
}

// isCountWithin reports whether a number of items or properties is within its bounds, which may be nil.
func isCountWithin(n int, least, most *int) bool {
	return (least == nil || n >= *least) && (most == nil || n <= *most)
}

// fitsNumber reports whether a number is within the bounds of a schema and a multiple of its step.
func fitsNumber(s *ir.Schema, n *big.Rat) bool {
	step := ir.ParseRational(s.MultipleOf)

	return s.InRange(n) && (step == nil || new(big.Rat).Quo(n, step).IsInt())
}

// decodeJSON returns the value of a JSON text, with numbers as they are written, or nil.
func decodeJSON(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	if err != nil {
		return nil
	}

	return value
}

// Describe returns the name of a value in messages. It cuts long values.
func Describe(v any) string {
	const most = 60
	text, what := "", ""
	switch v := v.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	case string:
		what, text = "the text ", words.Quote(v)
	case nil:
		text = "null"
	default:
		text = fmt.Sprint(v)
	}
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}

	return what + text
}

// CanonicalText returns a text that equal values share, even if their numbers are written differently.
func CanonicalText(v any) string {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Float64(); err == nil { // otherwise it is larger than any float64
			return ir.ParseRational(v.String()).RatString()
		}
	case string:
		return words.Quote(v)
	case []any:
		return "[" + strings.Join(ir.Map(v, CanonicalText), ",") + "]"
	case map[string]any:
		member := func(name string) string { return words.Quote(name) + ":" + CanonicalText(v[name]) }
		members := ir.Map(slices.Sorted(maps.Keys(v)), member)
		return "{" + strings.Join(members, ",") + "}"
	}

	return fmt.Sprint(v)
}
