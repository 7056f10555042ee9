package workflow

import "strings"

// Or is `a or b` in a template: the first value that is neither none nor an empty text, or none. 0
// and false count. With one other value it is the filter default.
func (v Value) Or(others ...Value) Value {
	if !v.isBlank() {
		return v
	}
	for _, other := range others {
		if !other.isBlank() {
			return other
		}
	}

	return Value{}
}

// isBlank reports whether v is none or an empty text.
func (v Value) isBlank() bool { return v.Kind() == kindNone || v.Kind() == kindText && v.text == "" }

// UpperText is the filter upper: the rendered v in upper case. None stays none.
func (v Value) UpperText() Value { return v.mapText(strings.ToUpper) }

// LowerText is the filter lower: the rendered v in lower case. None stays none.
func (v Value) LowerText() Value { return v.mapText(strings.ToLower) }

func (v Value) mapText(change func(string) string) Value {
	if v.Kind() == kindNone {
		return v
	}

	return Text(change(v.String()))
}

// Length is the filter length: the items of a list, the members of an object, the characters of a
// text; 0 for anything else.
func (v Value) Length() Value { return Int(int64(v.Len())) }

// JSONText is the filter tojson: v as JSON; null for none.
func (v Value) JSONText() Value { return Text(v.JSON()) }

// Join is the filter join: the items of a list as they render, with sep between them. Anything but
// a list stays as it is.
func (v Value) Join(sep string) Value {
	if v.Kind() != kindList {
		return v
	}
	var b strings.Builder
	for i, item := range v.Items() {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(item.String())
	}

	return Text(b.String())
}
