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

// MostDigits is the largest number of digits that [Value.Round] keeps after the point.
const MostDigits = 15

// Round is the filter round: the number with so many decimal digits after the point that is nearest,
// up to [MostDigits]. The decimal notation of the number is rounded, and half a digit is rounded away
// from zero: 1.005 with two digits is 1.01. Anything but a number stays as it is.
func (v Value) Round(digits int) Value {
	if !v.IsNumber() || v.isWhole() {
		return v
	}
	f, _ := v.AsNumber()
	before, after, _ := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	if len(after) <= digits {
		return v
	}
	// A float64 has at most 17 digits, so that the digits that stay fit into 64 bits.
	kept, err := strconv.ParseInt(before+after[:digits], 10, 64)
	if err != nil {
		return v
	}
	if after[digits] >= '5' {
		kept += stepAwayFromZero(f)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatInt(kept, 10)+"e-"+strconv.Itoa(digits), 64)
	if err != nil {
		return v
	}

	return numberValue(rounded)
}

// stepAwayFromZero returns 1 for a positive number, and -1 for a negative one.
func stepAwayFromZero(f float64) int64 {
	if f < 0 {
		return -1
	}

	return 1
}
