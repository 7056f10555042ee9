package workflow

import "strings"

// First is `a or b` in a template: the first value that is neither none nor an empty text; none if there is none
// such. 0 and false count.
func First(values ...Value) Value {
	for _, v := range values {
		if !v.blank() {
			return v
		}
	}

	return Value{}
}

// blank reports whether v is none or an empty text.
func (v Value) blank() bool { return v.Kind() == KindNone || v.Kind() == KindText && v.text == "" }

// Default is the filter default: fallback for none and for an empty text.
func Default(v, fallback Value) Value { return First(v, fallback) }

// Upper is the filter upper: what v renders as, in upper case. None stays none.
func Upper(v Value) Value { return v.rendered(strings.ToUpper) }

// Lower is the filter lower: what v renders as, in lower case. None stays none.
func Lower(v Value) Value { return v.rendered(strings.ToLower) }

func (v Value) rendered(change func(string) string) Value {
	if v.Kind() == KindNone {
		return v
	}

	return Text(change(v.String()))
}

// Length is the filter length: the items of a list, the members of an object, the characters of a text; 0 for
// anything else.
func Length(v Value) Value { return Int(int64(v.Len())) }

// JSONText is the filter tojson: v as JSON; null for none.
func JSONText(v Value) Value { return Text(v.JSON()) }

// Join is the filter join: the items of a list as they render, with sep between them. Anything but a list stays as it
// is.
func Join(v Value, sep string) Value {
	if v.Kind() != KindList {
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
