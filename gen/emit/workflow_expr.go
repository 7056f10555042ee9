package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// place of expressions: what the names in them are in Go.
type view struct {
	w *workflow
	// value is the variable that holds the output of before, the step just before the place.
	value  string
	before *ir.Output
	// result is the variable of what a state or a turn came to; "" where the run knows it.
	result string
	// this is the variable of the item at hand; "" where the run knows it.
	this string
	// used are the variables that were written.
	used map[string]bool
}

// variable returns a variable, and keeps in mind that it is used.
func (v *view) variable(name string) *jen.Statement {
	v.used[name] = true

	return jen.Id(name)
}

// within returns the view of the body of {{#each}}.
func (v *view) within() *view {
	inner := *v
	inner.this = "this"

	return &inner
}

// term is an expression in Go, and how tightly its outermost operator binds.
type term struct {
	code *jen.Statement
	prec precedence
}

type precedence uint8

const (
	orPrecedence precedence = iota + 1
	andPrecedence
	comparePrecedence
	addPrecedence
	unaryPrecedence
	primary
)

// in returns the term as an operand, in parentheses if it binds less tightly than it must.
func (t term) in(least precedence) *jen.Statement {
	if t.prec < least {
		return jen.Parens(t.code)
	}

	return t.code
}

// goScalar is the Go type of a value that is certainly there.
type goScalar uint8

const (
	scalarBool goScalar = iota + 1
	scalarText
	scalarInt
	scalarNumber
)

var goScalars = map[ir.SchemaKind]goScalar{
	ir.SchemaBoolean: scalarBool, ir.SchemaString: scalarText, ir.SchemaInteger: scalarInt, ir.SchemaNumber: scalarNumber,
}

// kindOf returns the Go type of an expression whose value is certainly there and of one scalar type; 0 for any other. It is
// asked before anything is written, so that each part of an expression is written once, however deep it stands.
func (v *view) kindOf(x ir.Expression) goScalar {
	switch x := x.(type) {
	case *ir.Literal:
		return kindOfLiteral(x)
	case *ir.Access:
		switch {
		case isStepOK(x):
			return scalarBool
		case !x.Maybe && v.field(x, formScalar) != nil:
			return goScalars[x.Type.Schema.Kind]
		}
	case *ir.Method:
		if x.Arg != nil {
			return scalarBool
		}
		if v.kindOf(x.X) == scalarText {
			return scalarText
		}
	case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return scalarBool
	}

	return 0
}

func kindOfLiteral(x *ir.Literal) goScalar {
	switch x.Value.(type) {
	case bool:
		return scalarBool
	case string:
		return scalarText
	case int64:
		return scalarInt
	case float64:
		return scalarNumber
	}

	return 0
}

// isStepOK reports whether an access asks whether the last step went well, which is no value of its own.
func isStepOK(x *ir.Access) bool { return x.Root == ir.RootStepOK && len(x.Path) == 0 }

// native returns an expression that has a kind as Go writes it.
func (v *view) native(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return term{nativeLiteral(x), primary}
	case *ir.Access:
		return term{v.nativeAccess(x), primary}
	case *ir.Method:
		if x.Arg == nil {
			name := map[string]string{"lower": "ToLower", "upper": "ToUpper", "strip": "TrimSpace"}[x.Name]
			return term{jen.Qual("strings", name).Call(v.native(x.X).code), primary}
		}
	}

	return v.condition(x)
}

func nativeLiteral(x *ir.Literal) *jen.Statement {
	switch value := x.Value.(type) {
	case string:
		return text(value)
	case int64:
		return jen.Op(strconv.FormatInt(value, 10))
	}

	return jen.Lit(x.Value)
}

// nativeAccess returns a field of a struct that is no pointer.
func (v *view) nativeAccess(x *ir.Access) *jen.Statement {
	if isStepOK(x) {
		return jen.Id("r").Dot("StepOK").Call()
	}
	field := v.field(x, formScalar)
	if names.IsSchemaType(x.Type.Schema) {
		return jen.String().Call(field)
	}

	return field
}

// makers are the functions that make a value of a Go scalar.
var makers = map[goScalar]string{scalarBool: "Bool", scalarText: "Text", scalarInt: "Int", scalarNumber: "Number"}

// dynamic returns an expression as a value.
func (v *view) dynamic(x ir.Expression) *jen.Statement {
	if kind := v.kindOf(x); kind != 0 {
		return inWorkflow(makers[kind]).Call(v.native(x).code)
	}
	switch x := x.(type) {
	case *ir.Tuple:
		return inWorkflow("List").Call(v.dynamics(x.Items)...)
	case *ir.Access:
		if field := v.field(x, formPointer); field != nil {
			kind := x.Path[len(x.Path)-1].Property.Schema.Kind
			return inWorkflow(makers[goScalars[kind]] + "OrNone").Call(field)
		}
		return v.access(x)
	case *ir.Method:
		name := map[string]string{"lower": "Lower", "upper": "Upper", "strip": "Strip"}[x.Name]
		return v.dynamic(x.X).Dot(name).Call()
	case *ir.Placeholder:
		return v.placeholder(x)
	}

	return inWorkflow("None")
}

func (v *view) dynamics(list []ir.Expression) []jen.Code {
	items := make([]jen.Code, len(list))
	for i, x := range list {
		items[i] = v.dynamic(x)
	}

	return items
}

// access returns what a path leads to as a value.
func (v *view) access(x *ir.Access) *jen.Statement {
	path := make([]string, len(x.Path))
	for i, step := range x.Path {
		path[i] = step.Name.Value
	}
	last := len(path) - 1
	if x.Default != nil && last >= 0 {
		return v.reach(x, path[:last]).Dot("GetOr").Call(jen.Lit(path[last]), v.dynamic(x.Default))
	}

	return v.reach(x, path)
}

// reach returns what a path leads to from where an access begins.
func (v *view) reach(x *ir.Access, path []string) *jen.Statement {
	if x.Root == ir.RootContext {
		return jen.Id("r").Dot("Context").Call(texted(path)...)
	}
	from := v.root(x)
	if len(path) == 0 {
		return from
	}

	return from.Dot("Get").Call(texted(path)...)
}

func texted(path []string) []jen.Code {
	literals := make([]jen.Code, len(path))
	for i, name := range path {
		literals[i] = jen.Lit(name)
	}

	return literals
}

// asked are the methods of a run that tell what a root is.
var asked = map[ir.Root]string{
	ir.RootStepName: "StepName", ir.RootFeedback: "Feedback", ir.RootAnswer: "Answer",
	ir.RootNext: "NextState", ir.RootCurrent: "CurrentState", ir.RootResult: "Result",
}

// root returns the value at which an access begins.
func (v *view) root(x *ir.Access) *jen.Statement {
	switch {
	case x.Root == ir.RootStep:
		return v.step(x.Output)
	case x.Root == ir.RootInput:
		return v.variable("input")
	case x.Root == ir.RootThis && v.this != "":
		return v.variable(v.this)
	case x.Root == ir.RootThis:
		v.w.reads.this = true
		return jen.Id("r").Dot("this")
	case x.Root == ir.RootResult && v.result != "":
		return v.variable(v.result)
	case x.Root == ir.RootEvent:
		return inWorkflow("Text").Call(jen.Id("on").Dot("String").Call())
	case x.Root == ir.RootSteps:
		v.w.reads.all = true
		return jen.Id("r").Dot(names.AllSteps).Call()
	}

	return jen.Id("r").Dot(asked[x.Root]).Call()
}

// step returns the output of a step: the variable that holds it, or the field where it is kept.
func (v *view) step(o *ir.Output) *jen.Statement {
	if o == v.before {
		return v.variable(v.value)
	}
	v.w.reads.value[o] = true
	field := jen.Id("r").Dot("steps").Dot(names.StepField(o.Name.Value))
	if v.w.kept.data[o] {
		return field.Dot("Value")
	}

	return field
}
