package builtin

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Filter is a filter of a placeholder: `{{ value | name }}`.
type Filter struct {
	Name string
	// Params are the arguments in parentheses. Example shows them; it is empty without parameters.
	Params  []FilterParam
	Example string
	// Takes are the kinds of values that it changes, and What is their name in messages.
	Takes Kind
	What  string
	// Keeps are the kinds of values that it returns unchanged. Gives are the kinds of its results; 0
	// if the result is the argument.
	Keeps, Gives Kind
	// Go is the method of [workflow.Value] that applies it. Its parameters are texts or integers of Go
	// where the filter takes only these, and values elsewhere.
	Go string
	// GoText is the method of [workflow.Value] that returns the filtered value as a Go text; empty
	// if only Go does it.
	GoText string
	// Native is the function of package strings for a Go text, with the arguments after it; empty
	// without one.
	Native string
	// NativeList are the functions that turn a list of Go texts into the filtered text; may be empty.
	// The last one is called first, with the list and the argument.
	NativeList []Func
	// IsSettled reports whether it returns its own results unchanged: upper case stays upper case.
	IsSettled bool
	// Apply applies the filter to a value, with its arguments.
	Apply func(v workflow.Value, args []workflow.Value) workflow.Value
	// Bound returns the largest size of the result, by the sizes of the value and of the arguments.
	Bound func(v Size, args []Size) Size
}

// FilterParam is a parameter of a filter, which takes a literal.
type FilterParam struct {
	// Takes are the kinds of the argument: [Text], [Number] for a whole number, or [Any].
	Takes Kind
	// Default is the argument where none is written; nil if one has to be.
	Default any
	// Least and Most are the limits of a whole number.
	Least, Most int64
	// HasText reports whether a text may not be empty.
	HasText bool
}

// Func is a function of the standard library; one without a package is a builtin function of Go.
type Func struct{ Package, Name string }

// Filters are all filters, in the order of the documentation.
var Filters = []Filter{
	{
		Name: "join", Params: []FilterParam{{Takes: Text}}, Example: `join(", ")`, Takes: List, What: "a list", Keeps: Any &^ List, Gives: Text,
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
		Name: "trim", Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text,
		Go: "TrimText", Native: "TrimSpace", IsSettled: true, Apply: plain(workflow.Value.TrimText), Bound: sizeOfPart,
	},
	{
		Name: "replace", Params: []FilterParam{{Takes: Text, HasText: true}, {Takes: Text}}, Example: `replace("-", " ")`,
		Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text,
		Go: "ReplaceText", Native: "ReplaceAll", Apply: replace, Bound: sizeOfReplaced,
	},
	{
		Name: "truncate", Params: []FilterParam{{Takes: Number, Least: 1, Most: mostCharacters}}, Example: "truncate(80)",
		Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text,
		Go: "TruncateText", Apply: truncate, Bound: sizeOfTruncated,
	},
	{
		Name: "first", Takes: List, What: "a list", Keeps: Any &^ List, Gives: Any,
		Go: "First", Apply: plain(workflow.Value.First), Bound: sizeOfItem,
	},
	{
		Name: "last", Takes: List, What: "a list", Keeps: Any &^ List, Gives: Any,
		Go: "Last", Apply: plain(workflow.Value.Last), Bound: sizeOfItem,
	},
	{
		Name: "round", Params: []FilterParam{{Takes: Number, Default: int64(0), Most: workflow.MostDigits}}, Example: "round(2)",
		Takes: Number, What: "a number", Keeps: Any &^ Number, Gives: Number,
		Go: "Round", Apply: round, Bound: sizeOfRounded,
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
		Name: "default", Params: []FilterParam{{Takes: Any}}, Example: `default("none")`, Takes: Any, Keeps: Any &^ None,
		Go: "Or", Apply: orElse, Bound: sizeOfEither,
	},
}

// GivesArgument reports whether the filter returns its argument in place of None and an empty text,
// and any other value unchanged.
func (f Filter) GivesArgument() bool { return f.Name != "" && f.Gives == 0 }

func plain(of func(v workflow.Value) workflow.Value) func(v workflow.Value, _ []workflow.Value) workflow.Value {
	return func(v workflow.Value, _ []workflow.Value) workflow.Value { return of(v) }
}

func orElse(v workflow.Value, args []workflow.Value) workflow.Value { return v.Or(args[0]) }

func join(v workflow.Value, args []workflow.Value) workflow.Value { return v.Join(args[0].String()) }

func replace(v workflow.Value, args []workflow.Value) workflow.Value {
	return v.ReplaceText(args[0].String(), args[1].String())
}

func truncate(v workflow.Value, args []workflow.Value) workflow.Value {
	return v.TruncateText(wholeNumber(args[0]))
}

func round(v workflow.Value, args []workflow.Value) workflow.Value {
	return v.Round(wholeNumber(args[0]))
}

// wholeNumber returns an argument that [FilterParam.Problem] accepted as a whole number.
func wholeNumber(arg workflow.Value) int {
	n, _ := arg.AsNumber()

	return int(n)
}

// mostCharacters is the largest number of characters that truncate takes.
const mostCharacters = 1_000_000

// Accepts reports whether a literal can be the argument.
func (p FilterParam) Accepts(arg *ir.Literal) bool {
	n, isWhole := arg.Value.(int64)
	switch {
	case p.Takes == Number:
		return isWhole && n >= p.Least && n <= p.Most
	case p.HasText:
		return arg.Value != "" && KindsOfExpression(arg) == Text
	}

	return p.Takes&KindsOfExpression(arg) != 0
}

// Describe returns what the argument has to be, such as "takes a text in quotes".
func (p FilterParam) Describe() string {
	switch {
	case p.Takes == Number:
		return fmt.Sprintf("takes a whole number from %d to %d", p.Least, p.Most)
	case p.HasText:
		return "takes a text in quotes that is not empty"
	}

	return fmt.Sprintf("takes %s in quotes", p.Takes)
}

// ApplyFilter returns a value after a filter of a template; unchanged if there is no such filter.
func ApplyFilter(v workflow.Value, f ir.Filter) workflow.Value {
	filter, isKnown := FilterByName(f.Name)
	if !isKnown {
		return v
	}

	return filter.Apply(v, ir.Map(f.Args, func(arg *ir.Literal) workflow.Value { return workflow.Of(arg.Value) }))
}

// FilterByName returns a filter; ok is false if there is none.
func FilterByName(name string) (f Filter, ok bool) {
	f = ir.First(Filters, func(f Filter) bool { return f.Name == name })

	return f, f.Name != ""
}

// Type returns the type of the result, as far as it is known: any type if the filter may return its
// input or an item of it.
func (f Filter) Type() ir.Type {
	switch {
	case f.Gives == Text:
		return typeOf(ir.SchemaString)
	case f.Gives == Number && len(f.Params) == 0:
		return typeOf(ir.SchemaInteger) // a length
	case f.Gives == Number:
		return typeOf(ir.SchemaNumber)
	}

	return ir.Type{}
}
