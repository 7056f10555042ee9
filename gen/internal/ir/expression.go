package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

// Formula is an expression as it is in the source, checked and typed.
type Formula struct {
	// Text is the expression as it is written.
	Text Text
	Root Expression
}

// Template is a text with placeholders.
type Template struct {
	// Text is the template as it is written.
	Text  Text
	Parts []Part
}

// Constant returns the text of a template without placeholders.
func (t *Template) Constant() (text string, ok bool) {
	for _, part := range t.Parts {
		literal, isLiteral := part.(*Verbatim)
		if !isLiteral {
			return "", false
		}
		text += literal.Text
	}

	return text, true
}

// Part is a piece of a template.
type Part interface{ part() }

type (
	// Verbatim is text as it is.
	Verbatim struct{ Text string }
	// Placeholder is `{{ a or b | filter }}`: the first of Values that is neither none nor an empty text, through the filters. It
	// is an expression too, for a text inside of a list or a mapping that is one placeholder and keeps the type of its value.
	Placeholder struct {
		source.Span
		Values  []Expression
		Filters []Filter
	}
	// IfPart is `{{#if path}}`.
	IfPart struct {
		Cond Expression
		Body []Part
	}
	// EachPart is `{{#each path}}`; `this` in it is the item.
	EachPart struct {
		Items Expression
		Body  []Part
	}
)

func (*Verbatim) part()    {}
func (*Placeholder) part() {}
func (*IfPart) part()      {}
func (*EachPart) part()    {}

// Filter is a use of a filter in a placeholder. Arg is what is in parentheses; nil without. Type is what is known of its result.
type Filter struct {
	Name string
	Arg  *Literal
	Type Type
}

// Expression is a node of an expression. Its values are those of JSON.
type Expression interface {
	// Is returns what is known of the value.
	Is() Type
	// At is the node's place.
	At() source.Span
}

type (
	// Literal is none, true or false, a whole number, a number or a text: Value is nil, bool, int64, float64 or string.
	Literal struct {
		source.Span
		Value any
	}

	// Tuple is a list in brackets or parentheses.
	Tuple struct {
		source.Span
		Items []Expression
	}

	// Access is a value that has a name, and what is reached from it.
	Access struct {
		source.Span
		// Written is the access as the source has it, on one line: what a message calls the value.
		Written string
		Root    Root
		// Output is the step's, with RootStep, and what the body of a loop calls an item or the number of a turn, with RootThis
		// and RootTurn; nil for an item without a name.
		Output *Output
		// Path leads into the value, outermost first.
		Path []Field
		// Type is that of the value at the end of the path.
		Type Type
		// Maybe says that the value can be none although its schema does not say so: the step may not have run, or a property on
		// the way may be absent or null.
		Maybe bool
		// Default is the second argument of .get; nil without.
		Default Expression
	}

	// Not is `not x`.
	Not struct {
		source.Span
		X Expression
	}

	// Logic is `x and y and …` or `x or y or …`, which is true or false, as in the original, and never one of the operands.
	Logic struct {
		source.Span
		Or bool
		X  []Expression
	}

	// Compare is `x op y`.
	Compare struct {
		source.Span
		Op   CompareOp
		X, Y Expression
	}

	// Contains is `x in y` or, with Not, `x not in y`.
	Contains struct {
		source.Span
		X, Y Expression
		Not  bool
	}

	// Method is x.name(), a text, or x.name(text), which is true or false.
	Method struct {
		source.Span
		X    Expression
		Name string
		Arg  Expression // nil without
	}
)

// Field is a step of a path. Property is the declared one; nil where the value is dynamic.
type Field struct {
	Name     Text
	Property *Property
}

// CompareOp is a comparison.
type CompareOp string

// The comparisons.
const (
	OpEqual        CompareOp = "=="
	OpNotEqual     CompareOp = "!="
	OpLess         CompareOp = "<"
	OpLessEqual    CompareOp = "<="
	OpGreater      CompareOp = ">"
	OpGreaterEqual CompareOp = ">="
)

// Root is where a path begins.
type Root uint8

const (
	// RootContext is the context.
	RootContext Root = iota + 1
	// RootStep is the output of a step, that of the step before included.
	RootStep
	// RootInput is what the pipeline was given.
	RootInput
	// RootThis is the item of {{#each}} or of a turn of a loop.
	RootThis
	// RootResult is, inside the guard of a row, the output of the state that has just run, and in `exit_expression` that of the
	// turn, where no single step is known to have given it.
	RootResult
	// RootEvent is, inside the guard of a row, the event: success, failure or pause.
	RootEvent
	// RootStepName, RootStepOK and RootFeedback are, inside the guard of a row, what is known of the last step of the state: its
	// name, whether it went well, and the text of its error.
	RootStepName
	RootStepOK
	RootFeedback
	// RootAnswer is the newest answer of a person.
	RootAnswer
	// RootNext and RootCurrent are next_state and current_state.
	RootNext
	RootCurrent
	// RootSteps is `steps` itself: the object of all outputs by name.
	RootSteps
	// RootKey and RootValue are, inside the guard of a row of an fsm or a gate, the key and the text that came with it; RootData is
	// that text as JSON, none if it is not JSON.
	RootKey
	RootValue
	RootData
	// RootVisits is, there, how often each state was entered: an object with a number for each state.
	RootVisits
	// RootTurn is the number of a turn of a loop.
	RootTurn
)

// Is of the nodes; their At is that of the span.

// Is: nothing is known of a choice, and filters are few and give texts or, length, a whole number.
func (x *Placeholder) Is() Type {
	if n := len(x.Filters); n > 0 {
		return x.Filters[n-1].Type
	}
	if len(x.Values) == 1 {
		return x.Values[0].Is()
	}

	return Type{}
}
func (x *Literal) Is() Type { return Type{Schema: literalSchema(x.Value)} }

// Is: a tuple is a list of whatever.
func (x *Tuple) Is() Type    { return Type{Schema: &Schema{Kind: SchemaArray}} }
func (x *Access) Is() Type   { return x.Type }
func (x *Not) Is() Type      { return truth }
func (x *Logic) Is() Type    { return truth }
func (x *Compare) Is() Type  { return truth }
func (x *Contains) Is() Type { return truth }

// Is: a method with an argument is true or false, any other gives a text, or none of what is no text.
func (x *Method) Is() Type {
	if x.Arg != nil {
		return truth
	}

	return Type{Schema: &Schema{Kind: SchemaString}}
}

var truth = Type{Schema: &Schema{Kind: SchemaBoolean}}

func literalSchema(value any) *Schema {
	switch value.(type) {
	case bool:
		return &Schema{Kind: SchemaBoolean}
	case int64:
		return &Schema{Kind: SchemaInteger}
	case float64:
		return &Schema{Kind: SchemaNumber}
	case string:
		return &Schema{Kind: SchemaString}
	}

	return nil
}
