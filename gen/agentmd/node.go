package agentmd

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// The functions of this file read values of a tree that may not fit its schema. What does not fit reads as absent: the
// schema has said so already, at the place.

// textOf returns a scalar with its place.
func textOf(n *yamldoc.Node) ir.Text {
	text, ok := n.Scalar()
	if !ok {
		return ir.Text{}
	}

	return ir.Text{Value: text, Span: n.Span}
}

// textsOf returns the scalars of a list.
func textsOf(n *yamldoc.Node) []ir.Text {
	if n == nil {
		return nil
	}

	var texts []ir.Text
	for _, item := range n.Items {
		if _, ok := item.Scalar(); ok {
			texts = append(texts, textOf(item))
		}
	}

	return texts
}

// limit returns a whole number, or fallback.
func (l *loader) limit(n *yamldoc.Node, fallback int) int {
	if p := l.limitPointer(n); p != nil {
		return *p
	}

	return fallback
}

// limitPointer returns a whole number, which may also be written as 2.0 or 1e3, or nil. What no machine counts to is reported
// here: the schema has no upper bounds.
func (l *loader) limitPointer(n *yamldoc.Node) *int {
	number := floatPointer(n)
	if number == nil || *number != math.Trunc(*number) {
		return nil
	}
	if *number > math.MaxInt32 {
		l.list.Add(diag.New(diag.BadValue, n.Span, "%s is too large: at most %d", n.Text, math.MaxInt32))
		return nil
	}
	value := int(*number)

	return &value
}

// floatPointer returns a number, or nil.
func floatPointer(n *yamldoc.Node) *float64 {
	if n == nil || n.Kind != yamldoc.Int && n.Kind != yamldoc.Float {
		return nil
	}
	number, err := n.JSON().(json.Number).Float64()
	if err != nil {
		return nil
	}

	return &number
}

// boolOf returns true or false; absent is false.
func boolOf(n *yamldoc.Node) bool {
	return n != nil && n.Kind == yamldoc.Bool && strings.EqualFold(n.Text, "true")
}
