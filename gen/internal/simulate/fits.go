package simulate

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// fits reports whether a value fits a schema, which is nil if anything does.
func fits(s *ir.Schema, v workflow.Value) bool {
	switch {
	case s == nil:
		return true
	case v.IsNone():
		return s.Nullable || s.Kind == ir.SchemaAny && s.Enum == nil
	case s.Enum != nil && !listed(s.Enum, v):
		return false
	}
	switch s.Kind {
	case ir.SchemaRef:
		return fits(s.Followed(), v)
	case ir.SchemaUnion:
		tag, _ := v.Get(s.Tag).AsText()
		return slices.ContainsFunc(s.Variants, func(of *ir.Property) bool { return of.Name.Value == tag && fits(of.Schema, v) })
	case ir.SchemaObject:
		return v.Kind() == workflow.KindObject && fitsObject(s, v)
	case ir.SchemaArray:
		return v.Kind() == workflow.KindList && fitsArray(s, v)
	case ir.SchemaString:
		text, isText := v.AsText()
		return isText && fitsText(s, text)
	case ir.SchemaNumber, ir.SchemaInteger:
		return v.Kind() == workflow.KindNumber && fitsNumber(s, v)
	case ir.SchemaBoolean:
		return v.Kind() == workflow.KindBool
	}

	return true
}

func listed(enum []string, v workflow.Value) bool {
	for _, text := range enum {
		if one, err := workflow.Parse([]byte(text)); err == nil && one.JSON() == v.JSON() {
			return true
		}
	}

	return false
}

func fitsObject(s *ir.Schema, v workflow.Value) bool {
	known := map[string]bool{}
	for _, p := range s.Properties {
		known[p.Name.Value] = true
		member := v.Get(p.Name.Value)
		if p.Required && !v.Has(p.Name.Value) || v.Has(p.Name.Value) && !fits(p.Schema, member) {
			return false
		}
	}
	for name, member := range v.Members() {
		if !known[name] && (s.Additional == nil || !fits(s.Additional, member)) {
			return false
		}
	}

	return true
}

func fitsArray(s *ir.Schema, v workflow.Value) bool {
	if s.MinItems != nil && v.Len() < *s.MinItems || s.MaxItems != nil && v.Len() > *s.MaxItems {
		return false
	}
	seen := map[string]bool{}
	for _, item := range v.Items() {
		if !fits(s.Items, item) || s.UniqueItems && seen[item.JSON()] {
			return false
		}
		seen[item.JSON()] = true
	}

	return true
}

func fitsText(s *ir.Schema, text string) bool {
	n := utf8.RuneCountInString(text)
	if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
		return false
	}
	if s.GoPattern == "" {
		return true
	}
	pattern, err := regexp.Compile(s.GoPattern)

	return err == nil && pattern.MatchString(text)
}

func fitsNumber(s *ir.Schema, v workflow.Value) bool {
	n, ok := new(big.Rat).SetString(v.JSON())
	if !ok || s.Kind == ir.SchemaInteger && !n.IsInt() {
		return false
	}
	within := func(bound string, right func(order int) bool) bool {
		limit, isNumber := new(big.Rat).SetString(bound)
		return bound == "" || isNumber && right(n.Cmp(limit))
	}
	if !within(s.Minimum, func(order int) bool { return order >= 0 }) || !within(s.Maximum, func(order int) bool { return order <= 0 }) ||
		!within(s.ExclusiveMinimum, func(order int) bool { return order > 0 }) ||
		!within(s.ExclusiveMaximum, func(order int) bool { return order < 0 }) {
		return false
	}
	step, isNumber := new(big.Rat).SetString(s.MultipleOf)

	return s.MultipleOf == "" || isNumber && step.Sign() > 0 && new(big.Rat).Quo(n, step).IsInt()
}

// withDefaults returns an object with the defaults of its schema where it lacks a property.
func withDefaults(s *ir.Schema, v workflow.Value) workflow.Value {
	if s == nil {
		return v
	}
	for _, p := range s.Properties {
		if p.Schema == nil || p.Schema.Default == "" || v.Has(p.Name.Value) || !json.Valid([]byte(p.Schema.Default)) {
			continue
		}
		if value, err := workflow.Parse([]byte(p.Schema.Default)); err == nil {
			v = v.Merge(workflow.Object(workflow.Member{Name: p.Name.Value, Value: value}))
		}
	}

	return v
}
