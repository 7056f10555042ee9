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
	{ir.OpEqual, false, workflow.Value.Equal, workflow.Value.Is, "Equal", "Is"},
	{ir.OpNotEqual, true, workflow.Value.Equal, workflow.Value.Is, "Equal", "Is"},
	{ir.OpLess, false, workflow.Value.Less, workflow.Value.IsLess, "Less", "IsLess"},
	{ir.OpLessEqual, false, workflow.Value.LessEqual, workflow.Value.IsAtMost, "LessEqual", "IsAtMost"},
	{ir.OpGreater, false, workflow.Value.Greater, workflow.Value.IsGreater, "Greater", "IsGreater"},
	{ir.OpGreaterEqual, false, workflow.Value.GreaterEqual, workflow.Value.IsAtLeast, "GreaterEqual", "IsAtLeast"},
}

// ComparisonOf returns the descriptor of an operator.
func ComparisonOf(op ir.CompareOp) Comparison {
	return ir.First(comparisons, func(c Comparison) bool { return c.Op == op })
}
