package schemadoc

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func (w *work) number() {
	s := w.schema
	s.Minimum = w.bound("minimum")
	s.Maximum = w.bound("maximum")
	s.ExclusiveMinimum = w.bound("exclusiveMinimum")
	s.ExclusiveMaximum = w.bound("exclusiveMaximum")
	s.MultipleOf = w.bound("multipleOf")
	if step := ratOf(s.MultipleOf); step != nil && step.Sign() <= 0 {
		w.report(diag.BadValue, w.node.Value("multipleOf").Span, "%q must be greater than 0, found %s", "multipleOf", s.MultipleOf)
		s.MultipleOf = ""
	}
	w.emptyRange()
}

// bound reads the number under key; "" if it is absent or not usable.
func (w *work) bound(key string) string {
	v := w.node.Value(key)
	if v == nil {
		return ""
	}
	text, ok := jsonNumber(v)
	switch {
	case !ok && (v.Kind == yamldoc.Int || v.Kind == yamldoc.Float):
		w.report(diag.BadValue, v.Span, "%q must be a number that JSON can write, found %s", key, found(v))
		return ""
	case !ok:
		w.report(diag.WrongType, v.Span, "%q must be a number, found %s", key, found(v))
		return ""
	case w.schema.Kind == ir.SchemaNumber && !survives(text):
		w.report(diag.BadValue, v.Span, "%q has more digits than a float64 keeps, found %s", key, found(v))
		return ""
	}

	return text
}

// emptyRange reports bounds that exclude every value, at the bound that was written last.
func (w *work) emptyRange() {
	low, lowOpen, lowKey := tighter(w.schema.Minimum, w.schema.ExclusiveMinimum, "minimum", "exclusiveMinimum", 1)
	high, highOpen, highKey := tighter(w.schema.Maximum, w.schema.ExclusiveMaximum, "maximum", "exclusiveMaximum", -1)
	if low == nil || high == nil {
		if w.schema.Kind == ir.SchemaInteger {
			w.outsideInt64(low, lowKey, high, highKey)
		}
		return
	}

	empty := low.Cmp(high) > 0 || low.Cmp(high) == 0 && (lowOpen || highOpen)
	if w.schema.Kind == ir.SchemaInteger {
		first, last := wholeBounds(low, lowOpen, high, highOpen)
		empty = first.Cmp(last) > 0
	}
	if !empty {
		if w.schema.Kind == ir.SchemaInteger {
			w.outsideInt64(low, lowKey, high, highKey)
		}
		return
	}
	last := w.node.Get(lowKey)
	if f := w.node.Get(highKey); f.Value.Span.Start > last.Value.Span.Start {
		last = f
	}
	w.report(diag.BadValue, last.Value.Span, "no value fits both %q and %q", lowKey, highKey)
}

// outsideInt64 reports a bound that leaves no whole number that Go's int64 holds.
func (w *work) outsideInt64(low *big.Rat, lowKey string, high *big.Rat, highKey string) {
	if low != nil && low.Cmp(maxInt64) > 0 {
		w.report(diag.BadValue, w.node.Value(lowKey).Span, "%q leaves no whole number of 64 bits", lowKey)
	}
	if high != nil && high.Cmp(minInt64) < 0 {
		w.report(diag.BadValue, w.node.Value(highKey).Span, "%q leaves no whole number of 64 bits", highKey)
	}
}

var (
	minInt64 = new(big.Rat).SetInt64(-1 << 63)
	maxInt64 = new(big.Rat).SetInt64(1<<63 - 1)
)

// tighter returns the stricter of an inclusive and an exclusive bound; side is 1 for lower bounds and -1 for upper ones.
func tighter(inclusive, exclusive, inclusiveKey, exclusiveKey string, side int) (bound *big.Rat, open bool, key string) {
	a, b := ratOf(inclusive), ratOf(exclusive)
	if b != nil && (a == nil || b.Cmp(a)*side >= 0) {
		return b, true, exclusiveKey
	}

	return a, false, inclusiveKey
}

// wholeBounds returns the first and the last whole number in a range.
func wholeBounds(low *big.Rat, lowOpen bool, high *big.Rat, highOpen bool) (first, last *big.Int) {
	first = new(big.Int).Neg(floor(new(big.Rat).Neg(low)))
	if lowOpen && low.IsInt() {
		first.Add(first, big.NewInt(1))
	}
	last = floor(high)
	if highOpen && high.IsInt() {
		last.Sub(last, big.NewInt(1))
	}

	return first, last
}

// floor returns the largest whole number that is not above r.
func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
}

var (
	yamlDecimal = regexp.MustCompile(`^([-+]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$`)
	yamlPrefix  = regexp.MustCompile(`^([-+]?)0([ox])([0-9a-fA-F]+)$`)
)

// jsonNumber returns a YAML number as JSON writes it, with its digits and its exponent. Infinities, not-a-number and
// exponents of more than three digits, which no float64 holds, are none.
func jsonNumber(n *yamldoc.Node) (text string, ok bool) {
	if n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return "", false
	}
	if m := yamlPrefix.FindStringSubmatch(n.Text); m != nil {
		return prefixed(m[1], m[2], m[3])
	}
	m := yamlDecimal.FindStringSubmatch(n.Text)
	if m == nil || m[2] == "" && m[3] == "" && !strings.Contains(n.Text, "0") {
		return "", false
	}

	text = strings.TrimPrefix(m[1], "+") + m[2]
	if m[2] == "" {
		text += "0"
	}
	if m[3] != "" {
		text += "." + m[3]
	}
	if m[4] != "" {
		exponent, err := strconv.Atoi(m[4])
		if err != nil || exponent > 999 || exponent < -999 {
			return "", false
		}
		text += "e" + strconv.Itoa(exponent)
	}

	return text, true
}

// prefixed converts 0x1f and 0o17.
func prefixed(sign, prefix, digits string) (text string, ok bool) {
	base := 8
	if prefix == "x" {
		base = 16
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "", false
	}

	return strings.TrimPrefix(sign, "+") + i.String(), true
}

// rational returns the exact value of a number's node.
func rational(n *yamldoc.Node) (*big.Rat, bool) {
	text, ok := jsonNumber(n)
	if !ok {
		return nil, false
	}

	return ratOf(text), true
}

// ratOf returns the exact value of a number that jsonNumber has written; nil for "".
func ratOf(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}

	return r
}

// survives reports whether a float64 gives a number back as it was written.
func survives(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}

	return ratOf(text).Cmp(ratOf(strconv.FormatFloat(f, 'g', -1, 64))) == 0
}
