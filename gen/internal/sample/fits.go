package sample

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Fits reports whether a value, as JSON, fits a schema, which is nil if anything does.
func Fits(s *ir.Schema, text string) bool { return s == nil || Misfit(s, decoded(text)) == "" }

// decoded is what JSON says, with numbers as they are written.
func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil
	}

	return v
}

// Misfit says why a value that encoding/json has decoded with UseNumber does not fit a schema; "" if it does.
func Misfit(s *ir.Schema, v any) string {
	if v == nil && (s.Nullable || s.Kind == ir.SchemaAny && s.Enum == nil) {
		return ""
	}
	problem := ""
	switch s.Kind {
	case ir.SchemaObject:
		return misfitObject(s, v)
	case ir.SchemaArray:
		return misfitList(s, v)
	case ir.SchemaRef:
		return Misfit(s.Followed(), v)
	case ir.SchemaUnion:
		return misfitUnion(s, v)
	case ir.SchemaString:
		problem = misfitText(s, v)
	case ir.SchemaNumber, ir.SchemaInteger:
		problem = misfitNumber(s, v)
	case ir.SchemaBoolean:
		if _, isBool := v.(bool); !isBool {
			problem = expected("true or false", v)
		}
	}
	same := func(text string) bool { return Identity(decoded(text)) == Identity(v) }
	if problem == "" && s.Enum != nil && !slices.ContainsFunc(s.Enum, same) {
		problem = Describe(v) + " is not in the enum"
	}

	return problem
}

func expected(what string, v any) string {
	return fmt.Sprintf("expected %s, found %s", what, Describe(v))
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
		what, text = "the text ", Quote(v)
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
		if n := rational(v); n != nil {
			return n.RatString()
		}
	case string:
		return Quote(v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = Identity(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, Quote(name)+":"+Identity(v[name]))
		}
		return "{" + strings.Join(members, ",") + "}"
	}

	return fmt.Sprint(v)
}

// rational is the exact value of a number; nil for one that is larger than any float64.
func rational(n json.Number) *big.Rat {
	if _, err := n.Float64(); err != nil {
		return nil
	}

	return ir.Rational(n.String())
}

func misfitObject(s *ir.Schema, v any) string {
	object, isObject := v.(map[string]any)
	if !isObject {
		return expected("a mapping", v)
	}
	declared := map[string]*ir.Schema{}
	for _, p := range s.Properties {
		declared[p.Name.Value] = p.Schema
		if _, there := object[p.Name.Value]; p.Required && !there {
			return fmt.Sprintf("%q is missing", p.Name.Value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		schema := declared[name]
		if schema == nil {
			schema = s.Additional
		}
		if schema == nil {
			return fmt.Sprintf("%q is not among the properties", name)
		}
		if problem := Misfit(schema, object[name]); problem != "" {
			return fmt.Sprintf("in %q, %s", name, problem)
		}
	}

	return ""
}

func misfitUnion(s *ir.Schema, v any) string {
	object, isObject := v.(map[string]any)
	if !isObject {
		return expected("a mapping", v)
	}
	tag, there := object[s.Tag]
	if !there {
		return fmt.Sprintf("%q is missing", s.Tag)
	}
	for _, of := range s.Variants {
		if of.Name.Value == tag {
			return Misfit(of.Schema, v)
		}
	}

	return fmt.Sprintf("in %q, %s is not one of the texts that are known", s.Tag, Describe(tag))
}

func misfitList(s *ir.Schema, v any) string {
	list, isList := v.([]any)
	if !isList {
		return expected("a list", v)
	}
	if problem := misfitCount(len(list), s.MinItems, s.MaxItems, "items"); problem != "" {
		return problem
	}
	seen := map[string]bool{}
	for _, item := range list {
		if s.Items != nil {
			if problem := Misfit(s.Items, item); problem != "" {
				return problem
			}
		}
		if id := Identity(item); s.UniqueItems && seen[id] {
			return Describe(item) + " is in the list twice"
		} else {
			seen[id] = true
		}
	}

	return ""
}

func misfitCount(n int, least, most *int, unit string) string {
	switch {
	case least != nil && n < *least:
		return fmt.Sprintf("expected at least %d %s, found %d", *least, unit, n)
	case most != nil && n > *most:
		return fmt.Sprintf("expected at most %d %s, found %d", *most, unit, n)
	}

	return ""
}

func misfitText(s *ir.Schema, v any) string {
	text, isText := v.(string)
	if !isText {
		return expected("text", v)
	}
	if problem := misfitCount(utf8.RuneCountInString(text), s.MinLength, s.MaxLength, "characters"); problem != "" {
		return problem
	}
	if !ruleOf(s).takes(text) {
		return fmt.Sprintf("%q does not match the pattern", text)
	}

	return ""
}

func misfitNumber(s *ir.Schema, v any) string {
	number, _ := v.(json.Number)
	n, step := rational(number), ir.Rational(s.MultipleOf)
	low, high := s.Range()
	switch {
	case n == nil:
		return expected("a number", v)
	case s.Kind == ir.SchemaNumber && !ir.FloatKeeps(number.String()):
		return Describe(v) + " has more digits than a float64 keeps"
	case s.Kind == ir.SchemaInteger && !n.IsInt():
		return expected("a whole number", v)
	case s.Kind == ir.SchemaInteger && !n.Num().IsInt64():
		return Describe(v) + " is not a whole number of 64 bits"
	case low.Value != nil && low.Open && n.Cmp(low.Value) <= 0:
		return expected("more than "+s.ExclusiveMinimum, v)
	case low.Value != nil && n.Cmp(low.Value) < 0:
		return expected("at least "+s.Minimum, v)
	case high.Value != nil && high.Open && n.Cmp(high.Value) >= 0:
		return expected("less than "+s.ExclusiveMaximum, v)
	case high.Value != nil && n.Cmp(high.Value) > 0:
		return expected("at most "+s.Maximum, v)
	case step != nil && !new(big.Rat).Quo(n, step).IsInt():
		return fmt.Sprintf("%s is not a multiple of %s", Describe(v), s.MultipleOf)
	}

	return ""
}
