package workflow

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

func booleanValue(b bool) Value {
	if b {
		return Value{shape: &boolShape, bits: 1}
	}

	return Value{shape: &boolShape}
}

// Int returns a whole number.
func Int(n int64) Value { return Value{shape: &intShape, bits: uint64(n)} }

// numberValue returns the number that f is written as.
func numberValue(f float64) Value {
	if n := int64(f); float64(n) == f && n >= -maxExactFloat && n <= maxExactFloat {
		return Int(n)
	}

	return fractionValue(f)
}

// maxExactFloat is up to where a float64 is the whole number that it is written as.
const maxExactFloat = 1 << 53

// fractionValue is numberValue for fractions and very large numbers.
func fractionValue(f float64) Value {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return Value{}
	case math.Abs(f) > maxExactFloat && math.Abs(f) <= 1<<63:
		var digits [32]byte
		if n, err := strconv.ParseInt(string(strconv.AppendFloat(digits[:0], f, 'f', -1, 64)), 10, 64); err == nil {
			return Int(n)
		}
	}

	return Value{shape: &floatShape, bits: math.Float64bits(f)}
}

// Text returns a text. Bytes in it that are not UTF-8 become U+FFFD where it is written as JSON.
func Text(text string) Value { return Value{shape: &textShape, text: text} }

// List returns a list of items. It panics with a *[runtime.ValueError] if it would be nested more
// than 10,000 deep or be larger than 64 MiB.
func List(items ...Value) Value { return newList(append([]Value(nil), items...)) }

// Member is a member of an object, or a value that a guard has read, with its name in the source.
type Member struct {
	Name  string
	Value Value
	// Optional leaves the member out of an object if its value is none.
	Optional bool
}

// Object returns an object. Of members with the same name the last one counts, in the place of the
// first. It panics as List.
func Object(members ...Member) Value {
	names, items := make([]string, 0, len(members)), make([]Value, 0, len(members))
	var index map[string]int // of many members
	if len(members) > maxUnsortedNames {
		index = make(map[string]int, len(members))
	}
	for _, member := range members {
		if member.Optional && member.Value.IsNone() {
			continue
		}
		at, known := index[member.Name]
		if index == nil {
			at = slices.Index(names, member.Name)
			known = at >= 0
		}
		if known {
			items[at] = member.Value
			continue
		}
		if index != nil {
			index[member.Name] = len(names)
		}
		names, items = append(names, member.Name), append(items, member.Value)
	}

	return newObject(names, items)
}

// Of returns the value of a scalar, of a pointer to one (none if it is nil), of a Value, of JSON,
// or of anything else that encoding/json writes. A float64 is the number that it is written as: the
// shortest decimal that means it, as in JSON; an infinity and NaN are none, as JSON has neither. Of
// panics with that package's error, or a *[runtime.ValueError], if there is no JSON for x.
func Of[T any](x T) Value {
	switch x := any(x).(type) { // a type parameter, so that no scalar is allocated
	case nil:
		return Value{}
	case Value:
		return x
	case bool:
		return booleanValue(x)
	case int:
		return Int(int64(x))
	case int64:
		return Int(x)
	case float64:
		return numberValue(x)
	case string:
		return Text(x)
	case *bool:
		return pointerValue(x, booleanValue)
	case *int64:
		return pointerValue(x, Int)
	case *float64:
		return pointerValue(x, numberValue)
	case *string:
		return pointerValue(x, Text)
	}

	return encodedValue(x)
}

func pointerValue[T any](x *T, value func(T) Value) Value {
	if x == nil {
		return Value{}
	}

	return value(*x)
}

func encodedValue(x any) Value {
	raw, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	v, err := Parse(raw)
	if err != nil {
		panic(err)
	}

	return v
}
