package tree

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Text returns a scalar with its place.
func Text(n *yamldoc.Node) ir.Text {
	text, ok := n.Scalar()
	if !ok {
		return ir.Text{}
	}

	return ir.Text{Value: text, Span: n.Span}
}

// Key returns the name of a field with its place.
func Key(f *yamldoc.Field) ir.Text { return ir.Text{Value: f.Key.Text, Span: f.Key.Span} }

// Texts returns the scalars of a list.
func Texts(n *yamldoc.Node) []ir.Text {
	var texts []ir.Text
	for _, item := range n.Elements() {
		if _, ok := item.Scalar(); ok {
			texts = append(texts, Text(item))
		}
	}

	return texts
}

// Limit returns a whole number, which may also be written as 2.0 or 1e3, or nil. What no machine counts to is added to
// list: the schemas have no bounds so far out.
func Limit(n *yamldoc.Node, list *diag.List) *int {
	number := Number(n)
	if number == nil || *number != math.Trunc(*number) {
		return nil
	}
	switch {
	case *number > math.MaxInt32:
		list.Add(diag.New(diag.BadValue, n.Span, "%s is too large: at most %d", n.Text, math.MaxInt32))
		return nil
	case *number < math.MinInt32:
		list.Add(diag.New(diag.BadValue, n.Span, "%s is too small: at least %d", n.Text, math.MinInt32))
		return nil
	}
	value := int(*number)

	return &value
}

// Number returns a number, or nil.
func Number(n *yamldoc.Node) *float64 {
	if n == nil || n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return nil
	}
	number, err := n.JSON().(json.Number).Float64()
	if err != nil {
		return nil
	}

	return &number
}

// mostUSD is more money than anybody has, and can still be counted in millionths of a dollar.
const mostUSD = 1e12

// Dollars returns an amount of money; 0 without one. One that is too large to be counted is reported.
func Dollars(n *yamldoc.Node, list *diag.List) float64 {
	usd := Number(n)
	switch {
	case usd == nil || *usd <= 0:
		return 0
	case *usd > mostUSD:
		list.Add(diag.New(diag.BadValue, n.Span, "%s dollars are too many: at most %.0f", n.Text, mostUSD))

		return mostUSD
	}

	return *usd
}

// Bool returns true or false; absent is false.
func Bool(n *yamldoc.Node) bool {
	return n != nil && n.Kind == yamldoc.Bool && strings.EqualFold(n.Text, "true")
}
