package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Comparison is an operator that compares two values.
type Comparison struct {
	Op ir.CompareOp
	// Negated says that the functions below are those of the opposite.
	Negated bool
	// Holds compares two values, and Decides two of which one is data of others. HoldsGo and DecidesGo are their names.
	Holds              func(x, y workflow.Value) bool
	Decides            func(x, y workflow.Value) workflow.Truth
	HoldsGo, DecidesGo string
}

// comparisons are all of them.
var comparisons = []Comparison{
	{ir.OpEqual, false, workflow.Equal, workflow.Is, "Equal", "Is"},
	{ir.OpNotEqual, true, workflow.Equal, workflow.Is, "Equal", "Is"},
	{ir.OpLess, false, workflow.Less, workflow.IsLess, "Less", "IsLess"},
	{ir.OpLessEqual, false, workflow.LessEqual, workflow.IsAtMost, "LessEqual", "IsAtMost"},
	{ir.OpGreater, false, workflow.Greater, workflow.IsGreater, "Greater", "IsGreater"},
	{ir.OpGreaterEqual, false, workflow.GreaterEqual, workflow.IsAtLeast, "GreaterEqual", "IsAtLeast"},
}

// ComparisonOf returns the descriptor of an operator.
func ComparisonOf(op ir.CompareOp) Comparison {
	c, _ := find(comparisons, func(c Comparison) bool { return c.Op == op })

	return c
}
