package workflow

import "strings"

// Lower returns a text in lower case; none for anything else.
func (v Value) Lower() Value { return v.mapTexts(strings.ToLower) }

// Upper returns a text in upper case; none for anything else.
func (v Value) Upper() Value { return v.mapTexts(strings.ToUpper) }

// Strip returns a text without white space at its ends; none for anything else.
func (v Value) Strip() Value { return v.mapTexts(strings.TrimSpace) }

func (v Value) mapTexts(change func(string) string) Value {
	if v.Kind() != kindText {
		return Value{}
	}

	return Text(change(v.text))
}

// StartsWith reports whether v is a text that begins with the text prefix.
func (v Value) StartsWith(prefix Value) bool {
	return v.Kind() == kindText && prefix.Kind() == kindText && strings.HasPrefix(v.text, prefix.text)
}

// EndsWith reports whether v is a text that ends with the text suffix.
func (v Value) EndsWith(suffix Value) bool {
	return v.Kind() == kindText && suffix.Kind() == kindText && strings.HasSuffix(v.text, suffix.text)
}
