package rt

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Int returns a whole number. 1.0 and 1e3 are whole numbers, as in JSON Schema; one that an int64
// does not hold is a problem.
func (v *JSON) Int() int64 {
	if v.kind != valueNumber {
		v.Want("a whole number")
		return 0
	}
	literal := v.Literal()
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return n
	}

	d, ok := parseDecimal(literal)
	switch {
	case ok && d.digits == "":
		return 0
	case ok && d.exponent < 0:
		v.Want("a whole number")
		return 0
	}
	// 19 digits hold every int64, and more than that never fit.
	if ok && len(d.digits)+d.exponent <= 19 {
		n, err := strconv.ParseInt(d.sign+d.digits+strings.Repeat("0", d.exponent), 10, 64)
		if err == nil {
			return n
		}
	}
	v.Want("a whole number from -9223372036854775808 to 9223372036854775807")

	return 0
}

// Float returns a number. A number that a float64 does not represent as it was written (too many
// digits, too large or too small) is a problem, because it would change silently.
func (v *JSON) Float() float64 {
	if v.kind != valueNumber {
		v.Want("a number")
		return 0
	}
	literal := v.Literal()
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		v.Want("a number from -1.7976931348623157e+308 to 1.7976931348623157e+308")
		return 0
	}
	if !isExact(literal, f) {
		v.Want("a number with fewer digits, such as " + strconv.FormatFloat(f, 'g', -1, 64))
		return 0
	}

	return f
}

// MultipleOf reports whether a number is a whole multiple of step. It counts in decimals: 0.3 is a
// multiple of 0.1, which it is not in binary. step is a number greater than 0 as JSON writes it.
func (v *JSON) MultipleOf(step string) bool {
	a, ok := new(big.Rat).SetString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	b, okStep := new(big.Rat).SetString(step)

	return ok && okStep && b.Sign() > 0 && a.Quo(a, b).IsInt()
}

// isExact reports whether f, written as the shortest decimal that means it, is the number in
// literal.
func isExact(literal string, f float64) bool {
	// Up to 15 digits every decimal survives (DBL_DIG), as long as its exponent does not leave the
	// normal numbers.
	if len(literal) <= 15 && strings.IndexByte(literal, 'e') < 0 && strings.IndexByte(literal, 'E') < 0 {
		return true
	}
	written, ok := parseDecimal(literal)
	back, okBack := parseDecimal(strconv.FormatFloat(f, 'e', -1, 64))

	return ok && okBack && written.digits == back.digits && written.exponent == back.exponent
}

// decimal is the number digits × 10^exponent. digits has no zero at either end, so equal numbers
// have equal fields; it is "" for 0, whose exponent is 0.
type decimal struct {
	sign     string
	digits   string
	exponent int
}

// parseDecimal reads a JSON number. ok is false if its exponent is beyond what can be counted.
func parseDecimal(literal string) (d decimal, ok bool) {
	rest := strings.TrimPrefix(literal, "-")
	if rest != literal {
		d.sign = "-"
	}
	mantissa, exponent := rest, "0"
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(all, "0")
	if d.digits == "" {
		return decimal{sign: d.sign}, true
	}

	n, err := strconv.Atoi(exponent)
	if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
		return decimal{}, false
	}
	d.exponent = n - len(fraction) + len(all) - len(d.digits)

	return d, true
}
