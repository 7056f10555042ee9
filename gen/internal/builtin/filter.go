package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Filter is a filter of a placeholder: `{{ value | name }}`.
type Filter struct {
	Name string
	// Arg are the kinds of the argument in parentheses; 0 without an argument. Example shows one.
	Arg     Kind
	Example string
	// Takes are the kinds of values that it changes, and What is their name in messages.
	Takes Kind
	What  string
	// Keeps are the kinds of values that it returns unchanged. Gives are the kinds of its results; 0
	// if the result is the argument.
	Keeps, Gives Kind
	// Go is the method of [workflow.Value] that applies it. Its parameter, if any, is a value, or a Go
	// text if the filter takes only texts.
	Go string
	// GoText is the method of [workflow.Value] that returns the filtered value as a Go text; empty
	// if only Go does it.
	GoText string
	// Native is the function of package strings for a Go text; empty without one.
	Native string
	// NativeList are the functions that turn a list of Go texts into the filtered text; may be empty.
	// The last one is called first, with the list and the argument.
	NativeList []Func
	// IsSettled reports whether it returns its own results unchanged: upper case stays upper case.
	IsSettled bool
	// Apply applies the filter; arg is the argument.
	Apply func(v, arg workflow.Value) workflow.Value
	// Bound returns the largest size of the result.
	Bound func(v, arg Size) Size
}

// Func is a function of the standard library; one without a package is a builtin function of Go.
type Func struct{ Package, Name string }

// Filters are all filters, in the order of the documentation.
var Filters = []Filter{
	{
		Name: "join", Arg: Text, Example: `join(", ")`, Takes: List, What: "a list", Keeps: Any &^ List, Gives: Text,
		Go: "Join", NativeList: []Func{{"strings", "Join"}}, Apply: join, Bound: sizeOfJoined,
	},
	{
		Name: "upper", Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text,
		Go: "UpperText", Native: "ToUpper", IsSettled: true, Apply: plain(workflow.Value.UpperText), Bound: sizeInOtherCase,
	},
	{
		Name: "lower", Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text,
		Go: "LowerText", Native: "ToLower", IsSettled: true, Apply: plain(workflow.Value.LowerText), Bound: sizeInOtherCase,
	},
	{
		Name: "length", Takes: List | Text | Object, What: "a list, a text or an object", Gives: Number,
		Go: "Length", NativeList: []Func{{"strconv", "Itoa"}, {"", "len"}}, Apply: plain(workflow.Value.Length), Bound: sizeOfLength,
	},
	{
		Name: "tojson", Takes: Any, Gives: Text,
		Go: "JSONText", GoText: "JSON", Apply: plain(workflow.Value.JSONText), Bound: sizeAsJSONText,
	},
	{
		Name: "default", Arg: Any, Example: `default("none")`, Takes: Any, Keeps: Any &^ None,
		Go: "Or", Apply: orElse, Bound: sizeOfEither,
	},
}

// GivesArgument reports whether the filter returns its argument in place of None and an empty text,
// and any other value unchanged.
func (f Filter) GivesArgument() bool { return f.Name != "" && f.Gives == 0 }

func plain(of func(v workflow.Value) workflow.Value) func(v, _ workflow.Value) workflow.Value {
	return func(v, _ workflow.Value) workflow.Value { return of(v) }
}

func orElse(v, arg workflow.Value) workflow.Value { return v.Or(arg) }

func join(v, separator workflow.Value) workflow.Value { return v.Join(separator.String()) }

// FilterByName returns a filter; ok is false if there is none.
func FilterByName(name string) (f Filter, ok bool) {
	f = ir.First(Filters, func(f Filter) bool { return f.Name == name })

	return f, f.Name != ""
}

// Type returns the type of the result, as far as it is known: any type if the filter may return its
// input. A number is a length.
func (f Filter) Type() ir.Type {
	switch f.Gives {
	case Number:
		return typeOf(ir.SchemaInteger)
	case 0:
		return ir.Type{}
	}

	return typeOf(ir.SchemaString)
}
