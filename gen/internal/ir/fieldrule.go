package ir

import "slices"

// FieldMerge is how a field of the context combines values: what it has, and what a step writes.
type FieldMerge string

// The ways to combine values.
const (
	FieldAppend FieldMerge = "append"
	FieldUnion  FieldMerge = "union"
	FieldFirst  FieldMerge = "first"
	FieldLast   FieldMerge = "last"
	FieldSum    FieldMerge = "sum"
	FieldMax    FieldMerge = "max"
	// FieldOnce is an error for another value than the one that the field has.
	FieldOnce FieldMerge = "error"
)

// FieldMerges are the ways to combine values, in the order of the documentation.
var FieldMerges = []FieldMerge{FieldAppend, FieldUnion, FieldFirst, FieldLast, FieldSum, FieldMax, FieldOnce}

// TakesLists reports whether the values are lists.
func (m FieldMerge) TakesLists() bool { return m == FieldAppend || m == FieldUnion }

// TakesNumbers reports whether the values are numbers.
func (m FieldMerge) TakesNumbers() bool { return m == FieldSum || m == FieldMax }

// ReplacesValue reports whether a write in a sequence of steps replaces the value.
func (m FieldMerge) ReplacesValue() bool { return m == "" || m == FieldLast }

// FieldRule is a field of the context that combines values.
type FieldRule struct {
	Path  []string
	Merge FieldMerge
}

// FieldRules are the rules of a context.
type FieldRules []FieldRule

// FieldRules returns the rules of the fields of a context, in the order of its schema; nil for an
// open context.
func (s *Schema) FieldRules() FieldRules { return s.fieldRules(nil) }

func (s *Schema) fieldRules(path []string) (rules FieldRules) {
	if s == nil || s.Kind != SchemaObject {
		return nil
	}
	for _, p := range s.Properties {
		at := append(slices.Clip(path), p.Name.Value)
		if p.Schema != nil && p.Schema.Merge != "" {
			rules = append(rules, FieldRule{at, p.Schema.Merge})
			continue
		}
		rules = append(rules, p.Schema.fieldRules(at)...)
	}

	return rules
}

// Of returns the rule of a field; "" without one.
func (rules FieldRules) Of(path []string) FieldMerge {
	return First(rules, func(r FieldRule) bool { return slices.Equal(r.Path, path) }).Merge
}

// Overlapping returns the rules of fields that are at a path, inside of it or around it.
func (rules FieldRules) Overlapping(path []string) FieldRules {
	return Where(rules, func(r FieldRule) bool {
		n := min(len(path), len(r.Path))
		return slices.Equal(path[:n], r.Path[:n])
	})
}
