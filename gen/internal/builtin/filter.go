package builtin

import "slices"

// Kind is a set of kinds of values.
type Kind uint8

// The kinds of values.
const (
	None Kind = 1 << iota
	Bool
	Number
	Text
	List
	Object

	Any = None | Bool | Number | Text | List | Object
)

// Filter is a filter of a placeholder: `{{ value | name }}`.
type Filter struct {
	Name string
	// Example shows one that takes something in parentheses; "" for one that takes nothing.
	Example string
	// Takes are the values that it does something to, and What is how a message calls them.
	Takes Kind
	What  string
	// Of a value it leaves those of the kinds in Keeps as they are, and it gives those in Gives: with none, what it has in parentheses.
	Keeps, Gives Kind
	// Go is the function of package workflow that does it.
	Go string
}

// Filters are all filters, in the order of the documentation.
var Filters = []Filter{
	{Name: "join", Example: `join(", ")`, Takes: List, What: "a list", Keeps: Any &^ List, Gives: Text, Go: "Join"},
	{Name: "upper", Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text, Go: "Upper"},
	{Name: "lower", Takes: Any &^ (List | Object), What: "a text", Keeps: None, Gives: Text, Go: "Lower"},
	{Name: "length", Takes: List | Text | Object, What: "a list, a text or an object", Gives: Number, Go: "Length"},
	{Name: "tojson", Takes: Any, Gives: Text, Go: "JSONText"},
	{Name: "default", Example: `default("none")`, Takes: Any, Keeps: Any &^ None, Go: "Default"},
}

// FilterByName returns a filter; ok is false if there is none.
func FilterByName(name string) (f Filter, ok bool) {
	i := slices.IndexFunc(Filters, func(f Filter) bool { return f.Name == name })
	if i < 0 {
		return Filter{}, false
	}

	return Filters[i], true
}
