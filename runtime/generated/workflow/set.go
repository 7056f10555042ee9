package workflow

import (
	"slices"
	"strconv"
	"strings"
)

// formatPath joins names with dots; one that is not a plain word is quoted.
func formatPath(path []string) string {
	words := make([]string, len(path))
	for i, name := range path {
		words[i] = name
		if name == "" || strings.ContainsAny(name, ". \"\n") {
			words[i] = strconv.Quote(name)
		}
	}

	return strings.Join(words, ".")
}

// Set returns v with value at the path. Objects that are missing on the path, or none, are created.
// The error is a PathError if another value is in the way, or a *[runtime.ValueError] if the result
// would be nested too deep or be too large.
func (v Value) Set(path []string, value Value) (Value, error) {
	// Each name is a recursive call.
	if len(path) > maxDepth {
		return Value{}, tooDeepError()
	}

	return v.setPath(path, 0, value)
}

func (v Value) setPath(path []string, at int, value Value) (Value, error) {
	switch {
	case at == len(path):
		return value, nil
	case v.Kind() != kindObject && v.Kind() != kindNone:
		return Value{}, blockedError(path, at, v.Kind())
	}
	member, err := v.Get(path[at]).setPath(path, at+1, value)
	if err != nil {
		return Value{}, err
	}

	return v.withMember(path[at], member)
}

// withMember returns an object, or none as an empty one, with one member set.
func (v Value) withMember(name string, value Value) (Value, error) {
	if v.memberCount() == 0 {
		return makeComposite(&shape{kind: kindObject, items: []Value{value}, names: []string{name}})
	}
	if i := v.findMember(name); i >= 0 {
		items := slices.Clone(v.shape.items)
		items[i] = value

		return makeComposite(&shape{kind: kindObject, items: items, names: v.shape.names, order: v.shape.order})
	}
	names := append(slices.Clip(v.shape.names), name)

	return makeComposite(&shape{kind: kindObject, items: append(slices.Clip(v.shape.items), value), names: names, order: sortedOrder(names)})
}

// Without returns an object without the members called names; anything else as it is.
func (v Value) Without(names ...string) Value {
	if !slices.ContainsFunc(names, v.Has) {
		return v
	}
	return v.filterMembers(func(name string, _ Value) bool { return !slices.Contains(names, name) })
}

// filterMembers returns an object with the members that keep accepts.
func (v Value) filterMembers(keep func(name string, value Value) bool) Value {
	var names []string
	var items []Value
	for name, value := range v.Members() {
		if keep(name, value) {
			names, items = append(names, name), append(items, value)
		}
	}

	return newObject(names, items)
}
