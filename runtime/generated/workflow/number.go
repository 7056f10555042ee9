package workflow

import (
	"strconv"
	"strings"
)

// ReadNumber returns the number that a text reads as: decimal digits with a sign, a fraction and an
// exponent, if they have one, and white space around them. No other notation is a number: no
// hexadecimal one, no 1_000, no infinity.
func (v Value) ReadNumber() (Value, bool) {
	text := strings.TrimSpace(v.text)
	decimal, whole := scanDecimal(text)
	if !decimal {
		return Value{}, false
	}
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Int(n), true
		}
	}
	f, err := strconv.ParseFloat(text, 64)

	return numberValue(f), err == nil
}

// numberOrText returns the number that a text reads as, or the text.
func (v Value) numberOrText() Value {
	if n, ok := v.ReadNumber(); ok {
		return n
	}

	return v
}

// scanDecimal reports whether text has only characters of decimal numbers, and whether it has
// neither fraction nor exponent. strconv checks the grammar.
func scanDecimal(text string) (decimal, whole bool) {
	whole = true
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			decimal = true
		case c == '.' || c == 'e' || c == 'E':
			whole = false
		case c != '+' && c != '-':
			return false, false
		}
	}

	return decimal, whole
}
