package schemadoc

import (
	"encoding/json"
	"math/big"
	"strconv"

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
	if step := ir.Rational(s.MultipleOf); step != nil && step.Sign() <= 0 {
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
	case !ok:
		w.report(diag.WrongType, v.Span, "%q must be a number, found %s", key, found(v))
		return ""
	case w.schema.Kind == ir.SchemaNumber && !ir.FloatKeeps(text):
		w.report(diag.BadValue, v.Span, "%q has more digits than a float64 keeps, found %s", key, found(v))
		return ""
	}

	return text
}

// emptyRange reports bounds that exclude every value, at the bound that was written last.
func (w *work) emptyRange() {
	low, high := w.schema.Range()
	isWhole := w.schema.Kind == ir.SchemaInteger
	isEmpty := false
	if low.Value != nil && high.Value != nil {
		isEmpty = low.Value.Cmp(high.Value) > 0 || low.Value.Cmp(high.Value) == 0 && (low.Open || high.Open)
		if first, last := w.schema.WholeRange(); isWhole {
			isEmpty = first.Cmp(last) > 0
		}
	}
	switch {
	case isEmpty:
		last := w.node.Value(low.Keyword)
		if v := w.node.Value(high.Keyword); v.Span.Start > last.Span.Start {
			last = v
		}
		w.report(diag.BadValue, last.Span, "no value fits both %q and %q", low.Keyword, high.Keyword)
	case isWhole && low.Value != nil && low.Value.Cmp(maxInt64) > 0:
		w.report(diag.BadValue, w.node.Value(low.Keyword).Span, "%q leaves no whole number of 64 bits", low.Keyword)
	case isWhole && high.Value != nil && high.Value.Cmp(minInt64) < 0:
		w.report(diag.BadValue, w.node.Value(high.Keyword).Span, "%q leaves no whole number of 64 bits", high.Keyword)
	}
}

var (
	minInt64 = new(big.Rat).SetInt64(-1 << 63)
	maxInt64 = new(big.Rat).SetInt64(1<<63 - 1)
)

// jsonNumber returns a number as JSON writes it, unless it is larger than any float64.
func jsonNumber(n *yamldoc.Node) (text string, ok bool) {
	if n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return "", false
	}
	text = string(n.JSON().(json.Number))
	_, err := strconv.ParseFloat(text, 64)

	return text, err == nil && ir.Rational(text) != nil
}

// rational returns the exact value of a number's node.
func rational(n *yamldoc.Node) (*big.Rat, bool) {
	text, ok := jsonNumber(n)

	return ir.Rational(text), ok
}
