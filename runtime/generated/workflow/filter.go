package workflow

import (
	"strings"
	"unicode/utf8"
)

// Or is `a or b` in a template: the first value that is neither none nor an empty text, list or
// object, or none. 0 and false count. With one other value it is the filter default, and without one
// it is v.
func (v Value) Or(others ...Value) Value {
	if !v.isBlank() || len(others) == 0 {
		return v
	}
	for _, other := range others {
		if !other.isBlank() {
			return other
		}
	}

	return Value{}
}

// isBlank reports whether v is none or an empty text, list or object.
func (v Value) isBlank() bool {
	switch v.Kind() {
	case kindBool, kindNumber:
		return false
	case kindText:
		return v.text == ""
	}

	return v.memberCount() == 0
}

// UpperText is the filter upper: the rendered v in upper case. None stays none.
func (v Value) UpperText() Value { return v.mapText(strings.ToUpper) }

// LowerText is the filter lower: the rendered v in lower case. None stays none.
func (v Value) LowerText() Value { return v.mapText(strings.ToLower) }

// TrimText is the filter trim: the rendered v without white space at its start and end. None stays
// none.
func (v Value) TrimText() Value { return v.mapText(strings.TrimSpace) }

// ReplaceText is the filter replace: the rendered v with another text in place of each occurrence of
// old. None stays none, and an empty old changes nothing.
func (v Value) ReplaceText(old, other string) Value {
	return v.mapText(func(text string) string {
		if old == "" {
			return text
		}

		return strings.ReplaceAll(text, old, other)
	})
}

// CutSign is the character in place of the end of a text that [Value.TruncateText] cuts.
const CutSign = "…"

// TruncateText is the filter truncate: the rendered v if it has at most so many characters, else its
// beginning and an ellipsis, which have so many together. None stays none.
func (v Value) TruncateText(characters int) Value {
	return v.mapText(func(text string) string {
		if utf8.RuneCountInString(text) <= characters {
			return text
		}
		end := 0
		for range characters - 1 {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}

		return text[:end] + CutSign
	})
}

// First is the filter first: the first item of a list, or none if it is empty. Anything but a list
// stays as it is.
func (v Value) First() Value { return v.itemAt(0) }

// Last is the filter last: the last item of a list, or none if it is empty. Anything but a list
// stays as it is.
func (v Value) Last() Value { return v.itemAt(v.memberCount() - 1) }

// itemAt returns an item of a list, or none if the list is empty. Anything but a list stays as it is.
func (v Value) itemAt(i int) Value {
	switch {
	case v.Kind() != kindList:
		return v
	case v.memberCount() == 0:
		return Value{}
	}

	return v.shape.items[i]
}

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
