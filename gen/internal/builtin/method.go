package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Get is the method of objects: x.get("name") and x.get("name", default) are paths.
const Get = "get"

// Method is a method of texts: x.name() gives a text, and none for anything but a text; x.name(text) is true or false, and
// unknown for anything but a text.
type Method struct {
	Name string
	// Change is what the method without an argument does.
	Change func(x workflow.Value) workflow.Value
	// Decides is what the method with an argument asks; nil without an argument.
	Decides func(x, y workflow.Value) workflow.Truth
	// Go and DecidesGo are the names of the methods of [workflow.Value], Go that for two texts that are there, Native that of the function of
	// package strings which does the same to two Go texts.
	Go, DecidesGo, Native string
	// Bound returns the largest size of what Change gives; nil with an argument.
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
	// Negated says that the functions below are those of the opposite.
	Negated bool
	// Compares compares two values of a workflow, either of which may be missing, and Decides two of which one is data of others.
	Compares, Decides func(x, y workflow.Value) workflow.Truth
	// ComparesGo and DecidesGo are their names, and HoldsGo that of the method which compares two values that are there.
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
