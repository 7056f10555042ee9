package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// view is a place of expressions: it defines the Go of the names in them.
type view struct {
	w *workflow
	// machine is the fsm or gate that the guards belong to; then w is nil.
	machine *machine
	// value is the variable with the output of before, the previous step.
	value  string
	before *ir.Output
	// result is the variable with the result of a state or a turn, or "" if the run has it.
	result string
	// this is the variable with the current item, or "" if the run has it.
	this string
	// thisText is set if it is a Go text.
	thisText bool
	// thisOwner is the owner of its schema if it is a Go struct.
	thisOwner ir.Owner
	// item is the item of the innermost map if the run has it as a Go struct, else nil.
	item *mapItem
	// known are pointers that are not nil here.
	known []string
	// used are the variables that the code uses.
	used map[string]bool
}

// useVariable returns a variable, and records its use.
func (v *view) useVariable(name string) *jen.Statement {
	v.used[name] = true

	return jen.Id(name)
}

// forEachBody returns the view of the body of {{#each}}.
func (v *view) forEachBody(isText bool) *view {
	inner := *v
	inner.this, inner.thisText, inner.used = "this", isText, map[string]bool{}
	inner.thisOwner = ir.OwnerNone

	return &inner
}

// forEachStruct returns the view of the body of {{#each}} over Go structs whose schema has an owner.
func (v *view) forEachStruct(owner ir.Owner) *view {
	inner := v.forEachBody(false)
	inner.thisOwner = owner

	return inner
}

// reportUse adds the variables used in the body of {{#each}} to the outer view, but for the body's
// own.
func (v *view) reportUse(outer *view) {
	for name := range v.used {
		isOwn := name == v.this || name == itemIndex || name == lastIndex || name == itemAsValue
		outer.used[name] = outer.used[name] || !isOwn
	}
}

// withAssumption returns the view of code that is reached only if a condition is true, or false.
func (v *view) withAssumption(condition term, holds bool) *view {
	inner := *v
	inner.known = mergePointers(v.known, condition.implies)
	if !holds {
		inner.known = mergePointers(v.known, condition.denies)
	}

	return &inner
}

// valueCode returns an expression as a value.
func (v *view) valueCode(x ir.Expression) *jen.Statement {
	if s := v.scalarOf(x); s.kind != 0 && len(s.needs) == 0 {
		return inWorkflow(goTypes[s.kind].value).Call(s.native().code)
	}
	switch x := x.(type) {
	case *ir.Tuple:
		return inWorkflow("List").Call(v.valuesCode(x.Items)...)
	case *ir.Access:
		if f := v.fieldOfExpression(x); f.form == formPointer && len(f.needs) == 0 {
			return inWorkflow("Of").Call(scalarPointer(x.Type.Schema, f.fieldCode()))
		}
		return v.accessCode(x)
	case *ir.Method:
		if x.Arg == nil {
			method, _ := builtin.MethodByName(x.Name)
			return v.valueCode(x.X).Dot(method.Go).Call()
		}
		return v.truthValueCode(x).Dot("Value").Call()
	case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return v.truthValueCode(x).Dot("Value").Call()
	case *ir.Arithmetic:
		return v.valueCode(x.X).Dot(builtin.OperatorOf(x.Op).Go).Call(v.valueCode(x.Y))
	case *ir.FuncCall:
		function, _ := builtin.FunctionByName(x.Name)
		if function.Value == nil {
			return v.truthValueCode(x).Dot("Value").Call()
		}
		return v.valueCode(x.X).Dot(function.Go).Call()
	case *ir.Placeholder:
		return v.placeholderCode(x)
	}

	return jen.Parens(noneCode()) // a literal that begins the condition of an if has to be in parentheses
}

// scalarPointer returns a pointer to a scalar of a schema as a pointer to the unnamed scalar type.
func scalarPointer(s *ir.Schema, pointer *jen.Statement) *jen.Statement {
	if !names.IsSchemaType(s) {
		return pointer
	}

	return jen.Parens(jen.Op("*").Id(goTypes[s.Kind].typ)).Call(pointer)
}

func (v *view) valuesCode(list []ir.Expression) []jen.Code {
	return ir.Map(list, func(x ir.Expression) jen.Code { return v.valueCode(x) })
}

// accessCode returns the target of a path as a value.
func (v *view) accessCode(x *ir.Access) *jen.Statement {
	path := x.PathNames()
	last := len(path) - 1
	if x.Default != nil && last >= 0 {
		return v.pathCode(x, path[:last]).Dot("GetOr").Call(jen.Lit(path[last]), v.valueCode(x.Default))
	}

	return v.pathCode(x, path)
}

// pathCode returns the target of a path from the beginning of an access.
func (v *view) pathCode(x *ir.Access, path []string) *jen.Statement {
	if x.Root == ir.RootContext {
		return jen.Id("r").Dot("Context").Call(textLiterals(path)...)
	}
	from := v.rootCode(x)
	if len(path) == 0 {
		return from
	}

	return from.Dot("Get").Call(textLiterals(path)...)
}

func textLiterals(path []string) []jen.Code {
	return ir.Map(path, func(name string) jen.Code { return jen.Lit(name) })
}

// rootMethods are the methods of a run that return a root.
var rootMethods = map[ir.Root]string{
	ir.RootStepName: "StepName", ir.RootFeedback: "Feedback", ir.RootError: "CaughtError", ir.RootAnswer: "Answer",
	ir.RootNext: "NextState", ir.RootCurrent: "CurrentState", ir.RootResult: "Result", ir.RootThis: "This",
}

// turnMethods are the methods of a run that return what is known of a turn, as a Go scalar.
var turnMethods = map[ir.Root]string{
	ir.RootIndex: "TurnIndex", ir.RootIsFirst: "IsFirstTurn", ir.RootIsLast: "IsLastTurn",
}

// rootCode returns the value at which an access begins.
func (v *view) rootCode(x *ir.Access) *jen.Statement {
	switch {
	case v.machine != nil:
		return v.machine.rootCode(x)
	case x.Root == ir.RootStep:
		return v.stepCode(x.Output)
	case x.Root == ir.RootInput:
		return v.useVariable("input")
	case x.Root == ir.RootThis && v.thisText:
		return inWorkflow("Text").Call(v.useVariable(v.this))
	case x.Root == ir.RootThis && v.this != "":
		v.used[itemAsValue] = v.thisOwner != ir.OwnerNone

		return v.useVariable(v.this)
	case x.Root == ir.RootResult && v.result != "":
		return v.useVariable(v.result)
	case x.Root == ir.RootEvent:
		return inWorkflow("Text").Call(jen.Id("on").Dot("String").Call())
	case x.Root == ir.RootSteps:
		return jen.Id("r").Dot(names.AllSteps).Call()
	}

	return jen.Id("r").Dot(rootMethods[x.Root]).Call()
}

// stepCode returns the output of a step: its variable, or the field that keeps it.
func (v *view) stepCode(o *ir.Output) *jen.Statement {
	if o == v.before {
		return v.useVariable(v.value)
	}
	field := jen.Id("r").Dot("steps").Dot(names.StepField(o.Name.Value))
	if v.w.reads.typed[o] {
		return field.Dot("Value")
	}

	return field
}
