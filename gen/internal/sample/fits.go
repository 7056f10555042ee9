package sample

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Fits reports whether a value, as JSON, fits a schema, which is nil if anything does.
func Fits(s *ir.Schema, text string) bool { return fits(s, decoded(text)) }

// decoded is what JSON says, with numbers as they are written.
func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil
	}

	return v
}

func fits(s *ir.Schema, v any) bool {
	switch {
	case s == nil:
		return true
	case v == nil:
		return s.Nullable || s.Kind == ir.SchemaAny && s.Enum == nil
	case s.Enum != nil && !slices.ContainsFunc(s.Enum, func(text string) bool { return encoded(decoded(text)) == encoded(v) }):
		return false
	}
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	_, isBool := v.(bool)
	switch s.Kind {
	case ir.SchemaRef:
		return fits(s.Followed(), v)
	case ir.SchemaUnion:
		return slices.ContainsFunc(s.Variants, func(of *ir.Property) bool { return object[s.Tag] == of.Name.Value && fits(of.Schema, v) })
	case ir.SchemaObject:
		return isObject && fitsObject(s, object)
	case ir.SchemaArray:
		return isList && fitsList(s, list)
	case ir.SchemaString:
		return isText && ruleOf(s).takes(text)
	case ir.SchemaNumber, ir.SchemaInteger:
		n := ir.Rational(number.String())
		return isNumber && n != nil && (s.Kind == ir.SchemaNumber || n.IsInt()) && rangeOf(s).allows(n)
	case ir.SchemaBoolean:
		return isBool
	}

	return true
}

// encoded is the same for the same values, however their numbers are written.
func encoded(v any) string {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err == nil {
		text, err = json.Marshal(v)
	}
	if err != nil {
		panic(err) // what was decoded can be encoded
	}

	return string(text)
}

func fitsObject(s *ir.Schema, object map[string]any) bool {
	known := map[string]bool{}
	for _, p := range s.Properties {
		known[p.Name.Value] = true
		member, there := object[p.Name.Value]
		if there && !fits(p.Schema, member) || !there && p.Required {
			return false
		}
	}
	for name, member := range object {
		if !known[name] && (s.Additional == nil || !fits(s.Additional, member)) {
			return false
		}
	}

	return true
}

func fitsList(s *ir.Schema, list []any) bool {
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return false
	}
	seen := map[string]bool{}

	return !slices.ContainsFunc(list, func(item any) bool {
		text := encoded(item)
		again := s.UniqueItems && seen[text]
		seen[text] = true
		return again || !fits(s.Items, item)
	})
}
