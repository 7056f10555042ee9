package workflow

import (
	"iter"
	"math"
)

// Value is an immutable JSON value; the zero Value is none. See the package comment for what it
// means.
type Value struct {
	_ [0]func() // compared with Equal, and never with ==

	// shape has the kind, and the content of a list or an object; nil for none.
	shape *shape
	bits  uint64 // true or false, an int64, or the bits of a float64 that no int64 equals
	text  string
}

// kind is the type of a value.
type kind uint8

// The kinds of values.
const (
	kindNone kind = iota
	kindBool
	kindNumber
	kindText
	kindList
	kindObject
)

// String returns the kind as error messages write it, such as "a list".
func (k kind) String() string {
	return [...]string{"none", "true or false", "a number", "text", "a list", "an object"}[k]
}

// Kind returns the type of v.
func (v Value) Kind() kind {
	if v.shape == nil {
		return kindNone
	}

	return v.shape.kind
}

// IsNone reports whether v is none.
func (v Value) IsNone() bool { return v.shape == nil }

// True reports whether v holds as a condition: none, false, 0, and an empty text, list or object do
// not.
func (v Value) True() bool {
	switch v.Kind() {
	case kindBool, kindNumber:
		return v.bits != 0
	case kindText:
		return v.text != ""
	}

	return v.memberCount() > 0
}

// Get returns the value that the names lead to, from member to member, or none.
func (v Value) Get(names ...string) Value {
	for _, name := range names {
		i := v.findMember(name)
		if i < 0 {
			return Value{}
		}
		v = v.shape.items[i]
	}

	return v
}

// GetOr returns the member called name, or fallback if the object has none. For anything but an
// object it is none.
func (v Value) GetOr(name string, fallback Value) Value {
	if v.Kind() != kindObject {
		return Value{}
	}
	if i := v.findMember(name); i >= 0 {
		return v.shape.items[i]
	}

	return fallback
}

// IsText, IsNumber, IsList and IsObject report the kind of v.
func (v Value) IsText() bool { return v.shape == &textShape }

// IsNumber: see [Value.IsText].
func (v Value) IsNumber() bool { return v.Kind() == kindNumber }

// IsList: see [Value.IsText].
func (v Value) IsList() bool { return v.Kind() == kindList }

// IsObject: see [Value.IsText].
func (v Value) IsObject() bool { return v.Kind() == kindObject }

// Has reports whether v is an object with a member called name.
func (v Value) Has(name string) bool { return v.findMember(name) >= 0 }

// At returns item i of a list, or none.
func (v Value) At(i int) Value {
	if v.Kind() != kindList || i < 0 || i >= v.memberCount() {
		return Value{}
	}

	return v.shape.items[i]
}

// Items returns the items of a list by their index. Any other value has no items.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != kindList {
			return
		}
		for i, item := range v.shape.items {
			if !yield(i, item) {
				return
			}
		}
	}
}

// Members returns the members of an object by their names, in their order. Any other value has no
// members.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != kindObject {
			return
		}
		for i, name := range v.shape.names {
			if !yield(name, v.shape.items[i]) {
				return
			}
		}
	}
}

// Len returns how many items a list, members an object, or characters a text has; 0 for anything
// else.
func (v Value) Len() int {
	if v.IsText() {
		return runeCount(v.text)
	}

	return v.memberCount()
}

// AsText returns a text; ok is false for anything else.
func (v Value) AsText() (text string, ok bool) { return v.text, v.IsText() }

// AsBool returns true or false; ok is false for anything else.
func (v Value) AsBool() (b, ok bool) {
	return v.shape == &boolShape && v.bits != 0, v.shape == &boolShape
}

// AsInt returns a whole number that an int64 holds; ok is false for anything else.
func (v Value) AsInt() (n int64, ok bool) {
	if !v.isWhole() {
		return 0, false
	}

	return int64(v.bits), true
}

// AsNumber returns a number, the nearest one if it is a whole number that a float64 does not hold;
// ok is false for anything else.
func (v Value) AsNumber() (f float64, ok bool) {
	switch {
	case v.isWhole():
		return float64(int64(v.bits)), true
	case v.shape == &floatShape:
		return math.Float64frombits(v.bits), true
	}

	return 0, false
}
