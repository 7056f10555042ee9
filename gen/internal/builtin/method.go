package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Get is the method of objects: x.get("name") and x.get("name", default) are paths.
const Get = "get"

// Method is a method of texts. x.name() is a text, and None if x is not a text. x.name(text) is true
// or false, and unknown if x is not a text.
type Method struct {
	Name string
	// Change applies the method without an argument; nil with an argument.
	Change func(x workflow.Value) workflow.Value
	// Decides applies the method with an argument; nil without an argument.
	Decides func(x, y workflow.Value) workflow.Truth
	// Go and DecidesGo are the names of methods of [workflow.Value]. With an argument, Go is the
	// method for two texts that exist. Native is the function of package strings for Go texts.
	Go, DecidesGo, Native string
	// Bound returns the largest size of the result of Change; nil with an argument.
	Bound func(x Size) Size
}

// Methods are all methods of texts, in the order of the documentation.
var Methods = []Method{
	{Name: "lower", Change: workflow.Value.Lower, Go: "Lower", Native: "ToLower", Bound: methodInOtherCase},
	{Name: "upper", Change: workflow.Value.Upper, Go: "Upper", Native: "ToUpper", Bound: methodInOtherCase},
	{Name: "strip", Change: workflow.Value.Strip, Go: "Strip", Native: "TrimSpace", Bound: methodOfPart},
	{
		Name: "startswith", Decides: workflow.Value.HasStart,
		Go: "StartsWith", DecidesGo: "HasStart", Native: "HasPrefix",
	},
	{
		Name: "endswith", Decides: workflow.Value.HasEnd,
		Go: "EndsWith", DecidesGo: "HasEnd", Native: "HasSuffix",
	},
}

// TakesText reports whether the method has an argument.
func (m Method) TakesText() bool { return m.Decides != nil }

// MethodByName returns a method of texts; ok is false if there is none.
func MethodByName(name string) (m Method, ok bool) {
	m = ir.First(Methods, func(m Method) bool { return m.Name == name })

	return m, m.Name != ""
}

// Comparison is an operator that compares two values.
type Comparison struct {
	Op ir.CompareOp
	// Negated reports whether the functions below compute the opposite.
	Negated bool
	// Compares compares two values of a workflow, either of which may be missing. Decides compares
	// two values if one of them is data from outside.
	Compares, Decides func(x, y workflow.Value) workflow.Truth
	// ComparesGo and DecidesGo are the names of these methods. HoldsGo is the name of the method that
	// compares two values that exist.
	ComparesGo, DecidesGo, HoldsGo string
}

// comparisons are all of them.
var comparisons = []Comparison{
	{ir.OpEqual, false, workflow.Value.Equals, workflow.Value.Is, "Equals", "Is", "Equal"},
	{ir.OpNotEqual, true, workflow.Value.Equals, workflow.Value.Is, "Equals", "Is", "Equal"},
	{ir.OpLess, false, workflow.Value.LessThan, workflow.Value.IsLess, "LessThan", "IsLess", "Less"},
	{ir.OpLessEqual, false, workflow.Value.AtMost, workflow.Value.IsAtMost, "AtMost", "IsAtMost", "LessEqual"},
	{ir.OpGreater, false, workflow.Value.GreaterThan, workflow.Value.IsGreater, "GreaterThan", "IsGreater", "Greater"},
	{ir.OpGreaterEqual, false, workflow.Value.AtLeast, workflow.Value.IsAtLeast, "AtLeast", "IsAtLeast", "GreaterEqual"},
}

// ComparisonOf returns the descriptor of an operator.
func ComparisonOf(op ir.CompareOp) Comparison {
	return ir.First(comparisons, func(c Comparison) bool { return c.Op == op })
}
