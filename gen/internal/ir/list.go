package ir

import (
	"cmp"
	"slices"
)

// Map returns the results of part for the items of a list.
func Map[T, P any](list []T, part func(T) P) []P {
	parts := make([]P, len(list))
	for i, item := range list {
		parts[i] = part(item)
	}

	return parts
}

// FlatMap returns the concatenated results of parts for the items of a list.
func FlatMap[T, P any](list []T, parts func(T) []P) []P { return slices.Concat(Map(list, parts)...) }

// Sorted sorts a list in place, and returns its items, each once.
func Sorted[T cmp.Ordered](list []T) []T {
	slices.Sort(list)

	return slices.Compact(list)
}

// First returns the first item of a list for which is holds; the zero value if there is none.
func First[T any](list []T, is func(T) bool) (first T) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		first = list[i]
	}

	return first
}

// Where returns the items of a list for which is holds; nil if there are none.
func Where[T any](list []T, is func(T) bool) (kept []T) {
	for _, item := range list {
		if is(item) {
			kept = append(kept, item)
		}
	}

	return kept
}

// SetOf returns the items of a list as the keys of a map.
func SetOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, item := range list {
		set[item] = true
	}

	return set
}

// Unique returns the items of a list, each once, at its first position.
func Unique[T comparable](list []T) []T {
	known := make(map[T]bool, len(list))
	var unique []T
	for _, item := range list {
		if !known[item] {
			known[item] = true
			unique = append(unique, item)
		}
	}

	return unique
}

// Values returns the values of texts.
func Values(texts []Text) []string { return Map(texts, func(t Text) string { return t.Value }) }

// PathNames returns the names of the fields in the path, outermost first.
func (a *Access) PathNames() []string {
	return Map(a.Path, func(f Field) string { return f.Name.Value })
}

// Property returns the property of an object that has the name. It is nil if there is none, and for
// the schema of anything else.
func (s *Schema) Property(name string) *Property {
	if s == nil || s.Kind != SchemaObject {
		return nil
	}

	return First(s.Properties, func(p *Property) bool { return p.Name.Value == name })
}

// FieldSchema returns the schema of a nested field, with references resolved; nil if nothing is
// known.
func (s *Schema) FieldSchema(path []Text) *Schema {
	for _, name := range path {
		p := s.Resolved().Property(name.Value)
		if p == nil {
			return nil
		}
		s = p.Schema
	}

	return s.Resolved()
}

// FieldOf returns the value of the field that has the name; nil without one.
func FieldOf(fields []DatumField, name string) *Datum {
	return First(fields, func(f DatumField) bool { return f.Name.Value == name }).Value
}

// RequiredNames returns the names of the required properties of an object.
func (s *Schema) RequiredNames() []string {
	required := Where(s.Properties, func(p *Property) bool { return p.Required })

	return Map(required, func(p *Property) string { return p.Name.Value })
}

// PropertyNames returns the names of the properties of an object.
func (s *Schema) PropertyNames() []string {
	return Map(s.Properties, func(p *Property) string { return p.Name.Value })
}
