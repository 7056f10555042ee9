package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Get is the method of objects: x.get("name") and x.get("name", default) are paths.
const Get = "get"

// Method is a method of texts: x.name() gives a text, and none for anything but a text; x.name(text) is true or false, and does not
// hold for anything but a text.
type Method struct {
	Name string
	// Change is what the method without an argument does.
	Change func(x workflow.Value) workflow.Value
	// Holds is what the method with an argument asks, and Decides the same of data of others; nil without an argument.
	Holds   func(x, y workflow.Value) bool
	Decides func(x, y workflow.Value) workflow.Truth
	// Go and DecidesGo are the names of the methods of [workflow.Value], Native that of the function of
	// package strings which does the same to two Go texts.
	Go, DecidesGo, Native string
}

// Methods are all methods of texts, in the order of the documentation.
var Methods = []Method{
	{Name: "lower", Change: workflow.Value.Lower, Go: "Lower", Native: "ToLower"},
	{Name: "upper", Change: workflow.Value.Upper, Go: "Upper", Native: "ToUpper"},
	{Name: "strip", Change: workflow.Value.Strip, Go: "Strip", Native: "TrimSpace"},
	{
		Name: "startswith", Holds: workflow.Value.StartsWith, Decides: workflow.Value.HasStart,
		Go: "StartsWith", DecidesGo: "HasStart", Native: "HasPrefix",
	},
	{
		Name: "endswith", Holds: workflow.Value.EndsWith, Decides: workflow.Value.HasEnd,
		Go: "EndsWith", DecidesGo: "HasEnd", Native: "HasSuffix",
	},
}

// TakesText reports whether the method has an argument.
func (m Method) TakesText() bool { return m.Holds != nil }

// MethodByName returns a method of texts; ok is false if there is none.
func MethodByName(name string) (m Method, ok bool) {
	m = ir.First(Methods, func(m Method) bool { return m.Name == name })

	return m, m.Name != ""
}
