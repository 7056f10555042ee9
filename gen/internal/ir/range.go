package ir

import (
	"math/big"
	"strconv"
)

// Bound is a bound of numbers.
type Bound struct {
	Value *big.Rat // nil: there is none
	// Open says that the bound itself is not allowed.
	Open bool
	// Keyword is the keyword that says so.
	Keyword string
}

// Rational returns the exact value of a number as JSON writes it; nil for what is none.
func Rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}

	return r
}

// Range returns the tighter lower and upper bound of the numbers that fit the schema.
func (s *Schema) Range() (low, high Bound) {
	return tighter(Bound{Rational(s.Minimum), false, "minimum"}, Bound{Rational(s.ExclusiveMinimum), true, "exclusiveMinimum"}, 1),
		tighter(Bound{Rational(s.Maximum), false, "maximum"}, Bound{Rational(s.ExclusiveMaximum), true, "exclusiveMaximum"}, -1)
}

// InRange reports whether a number is within the bounds of the schema.
func (s *Schema) InRange(n *big.Rat) bool {
	low, high := s.Range()
	beyond := func(bound Bound, sign int) bool {
		return bound.Value != nil && (n.Cmp(bound.Value) == sign || bound.Open && n.Cmp(bound.Value) == 0)
	}

	return !beyond(low, -1) && !beyond(high, 1)
}

// tighter returns the bound that leaves fewer numbers: with a sign of 1 the larger one, with -1 the smaller.
func tighter(closed, open Bound, sign int) Bound {
	if open.Value == nil || closed.Value != nil && closed.Value.Cmp(open.Value)*sign > 0 {
		return closed
	}

	return open
}

// WholeRange returns the first and the last whole number that the bounds of the schema allow; nil where it has no bound.
func (s *Schema) WholeRange() (first, last *big.Int) {
	low, high := s.Range()
	if low.Value != nil {
		low.Value.Neg(low.Value)
		first = lastWhole(low)
		first.Neg(first)
	}
	if high.Value != nil {
		last = lastWhole(high)
	}

	return first, last
}

// lastWhole returns the largest whole number below an upper bound.
func lastWhole(b Bound) *big.Int {
	n := new(big.Int).Div(b.Value.Num(), b.Value.Denom()) // Euclidean, and the denominator is positive
	if b.Open && b.Value.IsInt() {
		n.Sub(n, big.NewInt(1))
	}

	return n
}

// FloatKeeps reports whether a float64 gives a number back as it is written.
func FloatKeeps(text string) bool {
	f, err := strconv.ParseFloat(text, 64)

	return err == nil && Rational(text).Cmp(Rational(strconv.FormatFloat(f, 'g', -1, 64))) == 0
}
