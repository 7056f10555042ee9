package ir

import (
	"cmp"
	"slices"
)

// Map returns what each item of a list has or becomes.
func Map[T, P any](list []T, part func(T) P) []P {
	parts := make([]P, len(list))
	for i, item := range list {
		parts[i] = part(item)
	}

	return parts
}

// Flat returns what the items of a list have, one list behind the other.
func Flat[T, P any](list []T, parts func(T) []P) []P { return slices.Concat(Map(list, parts)...) }

// Sorted sorts a list, and returns its items, each once.
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

// Where returns the items of a list for which is holds; nil if there is none.
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

// Unique returns the items of a list, each once, at its first place.
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

// Names returns the fields that the access names, from the outside to the inside.
func (a *Access) Names() []string { return Map(a.Path, func(f Field) string { return f.Name.Value }) }

// Property returns the property of an object that has the name; nil where there is none, and for a schema of anything else.
func (s *Schema) Property(name string) *Property {
	if s == nil || s.Kind != SchemaObject {
		return nil
	}

	return First(s.Properties, func(p *Property) bool { return p.Name.Value == name })
}

// At returns what a schema says of a path inside of it, its references followed; nil for nothing.
func (s *Schema) At(path []Text) *Schema {
	for _, name := range path {
		p := s.Followed().Property(name.Value)
		if p == nil {
			return nil
		}
		s = p.Schema
	}

	return s.Followed()
}

// FieldOf returns the value of the field that has the name; nil without it.
func FieldOf(fields []DatumField, name string) *Datum {
	return First(fields, func(f DatumField) bool { return f.Name.Value == name }).Value
}

// RequiredNames returns the names of the properties that an object must have.
func (s *Schema) RequiredNames() []string {
	required := Where(s.Properties, func(p *Property) bool { return p.Required })

	return Map(required, func(p *Property) string { return p.Name.Value })
}

// PropertyNames returns the names of the properties of an object.
func (s *Schema) PropertyNames() []string {
	return Map(s.Properties, func(p *Property) string { return p.Name.Value })
}
