package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Filter is a filter of a placeholder: `{{ value | name }}`.
type Filter struct {
	Name string
	// Arg are the kinds of what it takes in parentheses, 0 if it takes nothing, and Example shows one.
	Arg     Kind
	Example string
	// Takes are the values that it does something to, and What is how a message calls them.
	Takes Kind
	What  string
	// Of a value it leaves those of the kinds in Keeps as they are, and it gives those in Gives: with none, what it has in parentheses.
	Keeps, Gives Kind
	// Go is the method of [workflow.Value] that does it, of the argument if the filter has one, which is a
	// value too, or a Go text if it takes only texts.
	Go string
	// GoText is the method of [workflow.Value] that returns the filtered value as a Go text; empty
	// if only Go does it.
	GoText string
	// Native is the function of package strings that does the same to a Go text; empty if there is
	// none.
	Native string
	// NativeList are the functions that turn a list of Go texts into the filtered text, the last of
	// which is called first: with the list and what the filter has in parentheses. They are empty
	// if there are none.
	NativeList []Func
	// IsSettled says that it does nothing to what it gives: upper case stays upper case.
	IsSettled bool
	// Apply does it; arg is what the filter has in parentheses.
	Apply func(v, arg workflow.Value) workflow.Value
	// Bound returns the largest size of what it gives.
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

// GivesArgument reports whether the filter gives what it has in parentheses for none and for an
// empty text, and leaves any other value as it is.
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

// Type is what is known of what the filter gives: nothing of one that may give what it is given. A number is a length.
func (f Filter) Type() ir.Type {
	switch f.Gives {
	case Number:
		return typeOf(ir.SchemaInteger)
	case 0:
		return ir.Type{}
	}

	return typeOf(ir.SchemaString)
}
