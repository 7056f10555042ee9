package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

// Formula is a checked and typed expression of the source.
type Formula struct {
	// Text is the expression as written.
	Text Text
	Root Expression
}

// Template is a text with placeholders.
type Template struct {
	// Text is the template as written.
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
	// Verbatim is literal text.
	Verbatim struct{ Text string }
	// Placeholder is `{{ a or b | filter }}`: the first of Values that is neither None nor an empty
	// text, through the filters. It is also an expression, for a text in a list or a mapping that
	// is a single placeholder and keeps the type of its value.
	Placeholder struct {
		source.Span
		Values  []Expression
		Filters []Filter
	}
	// IfPart is `{{#if condition}}`. Otherwise is what follows {{else}} or {{elif}}; nil without it.
	IfPart struct {
		Cond      Expression
		Body      []Part
		Otherwise []Part
	}
	// EachPart is `{{#each path}}`. In it, `this` is the item.
	EachPart struct {
		Items Expression
		Body  []Part
	}
)

func (*Verbatim) part()    {}
func (*Placeholder) part() {}
func (*IfPart) part()      {}
func (*EachPart) part()    {}

// Filter is a use of a filter in a placeholder. Args are its arguments in parentheses; one that may
// be left out has its default. Type is the known type of its result.
type Filter struct {
	Name string
	Args []*Literal
	Type Type
}

// Expression is a node of an expression. Its values are JSON values.
type Expression interface {
	// ValueType returns the known type of the value.
	ValueType() Type
	// At is the position of the node.
	At() source.Span
}

type (
	// Literal is None, true or false, a whole number, a number or a text. Value is nil, bool,
	// int64, float64 or string.
	Literal struct {
		source.Span
		Value any
	}

	// Tuple is a list in brackets or parentheses.
	Tuple struct {
		source.Span
		Items []Expression
	}

	// Access is a named value, and a path into it.
	Access struct {
		source.Span
		// Written is the access as written, on one line. Messages call the value so.
		Written string
		Root    Root
		// Output is the output of the step with RootStep. With RootThis and RootTurn, it is the
		// name that the body of a loop has for an item or the number of a turn. It is nil for an
		// item without a name.
		Output *Output
		// Path leads into the value, outermost first.
		Path []Field
		// Type is the type of the value at the end of the path.
		Type Type
		// MayBeNone is set if the value can be None although its schema does not allow it: the step
		// may not have run, or a property on the path may be absent or null.
		MayBeNone bool
		// Default is the second argument of .get, nil without one.
		Default Expression
	}

	// Not is `not x`.
	Not struct {
		source.Span
		X Expression
	}

	// Logic is `x and y and …` or `x or y or …`. It is true or false, never one of the operands.
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

	// Arithmetic is `x op y`. It is None if an operand is missing, and has no value if it cannot be
	// computed.
	Arithmetic struct {
		source.Span
		// Written is the expression as written, on one line. Messages call the value so.
		Written string
		Op      ArithmeticOp
		X, Y    Expression
	}

	// FuncCall is name(x), a call of a function of expressions.
	FuncCall struct {
		source.Span
		Name string
		X    Expression
	}

	// Method is x.name(), which is a text, or x.name(text), which is true or false.
	Method struct {
		source.Span
		X    Expression
		Name string
		Arg  Expression // nil without one
	}
)

// Field is a step of a path. Property is the declared property, nil where the value is dynamic.
type Field struct {
	Name     Text
	Property *Property
}

// ArithmeticOp is an operator of numbers.
type ArithmeticOp string

// The operators of numbers.
const (
	OpPlus   ArithmeticOp = "+"
	OpMinus  ArithmeticOp = "-"
	OpTimes  ArithmeticOp = "*"
	OpDivide ArithmeticOp = "/"
	OpModulo ArithmeticOp = "%"
)

// The functions of expressions.
const (
	// FuncLen is the number of items, members or characters of a value.
	FuncLen = "len"
	// FuncAny and FuncAll report whether one item of a list is true, and whether all are.
	FuncAny = "any"
	FuncAll = "all"
)

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

// Root is the value at which a path begins.
type Root uint8

const (
	// RootContext is the context.
	RootContext Root = iota + 1
	// RootStep is the output of a step, including the previous step.
	RootStep
	// RootInput is the input of the pipeline.
	RootInput
	// RootThis is the item of {{#each}} or of a turn of a loop.
	RootThis
	// RootResult is the output of the last state in the guard of a row. In `exit_expression` it is
	// the output of the turn, if no single step is known to produce it.
	RootResult
	// RootEvent is the event in the guard of a row: success, failure or pause.
	RootEvent
	// RootStepName, RootStepOK and RootFeedback describe the last step of the state in the guard of
	// a row: its name, whether it succeeded, and the text of its error.
	RootStepName
	RootStepOK
	RootFeedback
	// RootAnswer is the newest answer of a person.
	RootAnswer
	// RootNext and RootCurrent are next_state and current_state.
	RootNext
	RootCurrent
	// RootSteps is `steps` itself, the object of all outputs by name.
	RootSteps
	// RootKey and RootValue are the key and the text that came with it, in the guard of a row of an
	// fsm or a gate. RootData is the text as JSON, None if it is not JSON.
	RootKey
	RootValue
	RootData
	// RootVisits is the number of visits of each state, as an object, in the same guards.
	RootVisits
	// RootTurn is the number of a turn of a loop.
	RootTurn
	// RootIndex is the number of the turn, or of the item of a map, from 0. RootIsFirst and
	// RootIsLast report whether it is the first one, and the last one: the last item, or the last
	// turn within the bound of the loop. They belong to the innermost loop or map.
	RootIndex
	RootIsFirst
	RootIsLast
	// RootAtBound is whether the newest run of a loop has ended at its bound: see [Loop.AtBound].
	RootAtBound
	// RootItemIndex is the number of the item of {{#each}}, from 0 on. RootItemFirst and RootItemLast report
	// whether it is the first and the last one.
	RootItemIndex
	RootItemFirst
	RootItemLast
	// RootError is the newest failure that a row or a fallback handles: an object with the message,
	// the type and the step.
	RootError
)

// ValueType returns the type of the last filter, or of the only value. Nothing is known of a
// choice.
func (x *Placeholder) ValueType() Type {
	if n := len(x.Filters); n > 0 {
		return x.Filters[n-1].Type
	}
	if len(x.Values) == 1 {
		return x.Values[0].ValueType()
	}

	return Type{}
}
func (x *Literal) ValueType() Type { return Type{Schema: literalSchema(x.Value)} }

// ValueType returns a list of any items.
func (x *Tuple) ValueType() Type    { return Type{Schema: &Schema{Kind: SchemaArray}} }
func (x *Access) ValueType() Type   { return x.Type }
func (x *Not) ValueType() Type      { return booleanType }
func (x *Logic) ValueType() Type    { return booleanType }
func (x *Compare) ValueType() Type  { return booleanType }
func (x *Contains) ValueType() Type { return booleanType }

// ValueType returns an integer for integers, except for their quotient.
func (x *Arithmetic) ValueType() Type {
	if x.Op != OpDivide && isInteger(x.X) && isInteger(x.Y) {
		return Type{Schema: &Schema{Kind: SchemaInteger}}
	}

	return Type{Schema: &Schema{Kind: SchemaNumber}}
}

// isInteger reports whether a number is an integer, and so is its default.
func isInteger(x Expression) bool {
	schema := x.ValueType().Schema
	access, isAccess := x.(*Access)
	hasDefault := isAccess && access.Default != nil

	return schema != nil && schema.Kind == SchemaInteger && (!hasDefault || isInteger(access.Default))
}

// ValueType returns an integer for a length, and otherwise a boolean.
func (x *FuncCall) ValueType() Type {
	if x.Name == FuncLen {
		return Type{Schema: &Schema{Kind: SchemaInteger}}
	}

	return booleanType
}

// ValueType returns a boolean for a method with an argument, and otherwise a text. The value of a
// method is None if its operand is not a text.
func (x *Method) ValueType() Type {
	if x.Arg != nil {
		return booleanType
	}

	return Type{Schema: &Schema{Kind: SchemaString}}
}

var booleanType = Type{Schema: &Schema{Kind: SchemaBoolean}}

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
