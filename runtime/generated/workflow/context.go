package workflow

import (
	"slices"
	"strings"
)

// parsePath reads a path in the context as workflows write it, such as review.author. A leading
// context, and then scratchpad or import_artifacts, are the context itself. ok is false if a name
// is empty.
func parsePath(text string) (path []string, ok bool) {
	if text == "" {
		return nil, false
	}
	path = strings.Split(text, ".")
	for _, name := range path {
		if name == "" {
			return nil, false
		}
	}
	if path[0] == "context" {
		path = path[1:]
	}
	if len(path) > 0 && slices.Contains(aliases, path[0]) {
		path = path[1:]
	}

	return path, true
}

// ContextSet is context_set(path, value): the context with value at path, and the result {path,
// value, success}. A text that reads as a number becomes one if it replaces a number. The error is
// an ArgumentError, or that of [Value.Set].
func (context Value) ContextSet(path, value Value) (changed, result Value, err error) {
	place, err := parsePathArgument("context_set", path)
	if err != nil {
		return Value{}, Value{}, err
	}
	if context.Get(place...).Kind() == kindNumber && value.Kind() == kindText {
		if n, ok := value.ReadNumber(); ok {
			value = n
		}
	}
	if len(place) == 0 && value.Kind() != kindObject {
		return Value{}, Value{}, argument{"context_set", "value", value}.mismatchError("an object, as it becomes the context")
	}
	changed, err = context.Set(place, value)
	if err != nil {
		return Value{}, Value{}, err
	}

	return changed, contextSetResult(path, value), nil
}

// contextSetResult is the result of context_set.
func contextSetResult(path, value Value) Value {
	return Object(
		Member{Name: "path", Value: path}, Member{Name: "value", Value: value}, Member{Name: "success", Value: booleanValue(true)})
}

// ContextGet is context_get(path, default): the value at path, or fallback where there is none.
func (context Value) ContextGet(path, fallback Value) (Value, error) {
	place, err := parsePathArgument("context_get", path)
	if err != nil {
		return Value{}, err
	}
	if v := context.Get(place...); !v.IsNone() {
		return v, nil
	}

	return fallback, nil
}

// ContextMerge is context_merge(path, value): the context with the members of value merged into the
// object at path, as [Value.Merge] does, and the result {path, merged_keys, success}. The error is
// as that of [ContextSet].
func (context Value) ContextMerge(path, value Value) (changed, result Value, err error) {
	place, err := parsePathArgument("context_merge", path)
	if err != nil {
		return Value{}, Value{}, err
	}
	if value.Kind() != kindObject {
		return Value{}, Value{}, argument{"context_merge", "value", value}.mismatchError("an object")
	}
	old := context.Get(place...)
	if old.Kind() != kindObject && old.Kind() != kindNone {
		return Value{}, Value{}, blockedError(place, len(place), old.Kind())
	}
	changed, err = context.Set(place, old.Merge(value))
	if err != nil {
		return Value{}, Value{}, err
	}
	keys := make([]Value, 0, value.memberCount())
	for name := range value.Members() {
		keys = append(keys, Text(name))
	}

	return changed, Object(
		Member{Name: "path", Value: path}, Member{Name: "merged_keys", Value: newList(keys)}, Member{Name: "success", Value: booleanValue(true)}), nil
}

func parsePathArgument(function string, path Value) ([]string, error) {
	place, ok := parsePath(path.text)
	if !ok {
		return nil, argument{function, "path", path}.mismatchError("a place in the context, such as review.author")
	}

	return place, nil
}
