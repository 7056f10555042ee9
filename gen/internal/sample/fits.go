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

// Fits reports whether a value, as JSON, fits a schema, which is nil if anything does.
func Fits(s *ir.Schema, text string) bool { return Misfit(s, text) == "" }

// Misfit says why a value, as JSON, does not fit a schema; "" if it does. The value is read as generated code reads it.
func Misfit(s *ir.Schema, text string) string {
	fits := rt.Reader[any](func(v *rt.JSON) any {
		read(s, v)
		return nil
	})
	if err := fits.Check([]byte(text)); err != nil {
		return err.Error()
	}

	return ""
}

// read records what of a value does not fit a schema.
func read(s *ir.Schema, v *rt.JSON) {
	if s == nil || v.IsNull() && (s.Nullable || s.Kind == ir.SchemaAny && s.Enum == nil) {
		return
	}
	isRight := true
	switch s.Kind {
	case ir.SchemaRef:
		read(s.Followed(), v)
		return
	case ir.SchemaUnion:
		tag := v.Tag(s.Tag, ir.Map(s.Variants, func(of *ir.Property) string { return of.Name.Value })...)
		if of := ir.First(s.Variants, func(of *ir.Property) bool { return of.Name.Value == tag }); of != nil {
			read(of.Schema, v)
		}
		return
	case ir.SchemaObject:
		readObject(s, v)
		return
	case ir.SchemaArray:
		for _, item := range v.Items() {
			read(s.Items, item)
		}
		n := v.Len()
		isRight = (s.MinItems == nil || n >= *s.MinItems) && (s.MaxItems == nil || n <= *s.MaxItems) && (!s.UniqueItems || v.Distinct())
	case ir.SchemaString:
		isRight = ruleOf(s).takes(v.Text())
	case ir.SchemaInteger:
		isRight = fitsNumber(s, new(big.Rat).SetInt64(v.Int()))
	case ir.SchemaNumber:
		isRight = fitsNumber(s, ir.Rational(strconv.FormatFloat(v.Float(), 'g', -1, 64)))
	case ir.SchemaBoolean:
		v.Bool()
	}
	is := func(text string) bool { return Identity(decoded(text)) == Identity(decoded(v.Literal())) }
	if !isRight || s.Enum != nil && !slices.ContainsFunc(s.Enum, is) {
		v.Want(s.Expected())
	}
}

func readObject(s *ir.Schema, v *rt.JSON) {
	v.Require(s.RequiredNames()...)
	for name, member := range v.Members() {
		schema := s.Additional
		if p := s.Property(name); p != nil {
			schema = p.Schema
		} else if schema == nil {
			member.Unknown(s.PropertyNames()...)
			continue
		}
		read(schema, member)
	}
}

// fitsNumber reports whether a number is within the bounds of a schema, and a multiple of what it says.
func fitsNumber(s *ir.Schema, n *big.Rat) bool {
	step := ir.Rational(s.MultipleOf)

	return s.InRange(n) && (step == nil || new(big.Rat).Quo(n, step).IsInt())
}

// decoded is what JSON says, with numbers as they are written.
func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil
	}

	return v
}

// Describe names a value in a message, cut if it is long.
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

// Identity is the same for the same values, however their numbers are written.
func Identity(v any) string {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Float64(); err == nil { // else it is larger than any float64
			return ir.Rational(v.String()).RatString()
		}
	case string:
		return words.Quote(v)
	case []any:
		return "[" + strings.Join(ir.Map(v, Identity), ",") + "]"
	case map[string]any:
		member := func(name string) string { return words.Quote(name) + ":" + Identity(v[name]) }
		members := ir.Map(slices.Sorted(maps.Keys(v)), member)
		return "{" + strings.Join(members, ",") + "}"
	}

	return fmt.Sprint(v)
}
