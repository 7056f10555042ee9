package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// goScalar is the Go type of a scalar.
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

// kindOf returns the Go type of an expression whose value is of one scalar type where it is there, which [view.needs] tells; 0 for
// any other. It is asked before anything is written, so that each part of an expression is written once, however deep it stands.
func (v *view) kindOf(x ir.Expression) goScalar {
	switch x := x.(type) {
	case *ir.Literal:
		return kindOfLiteral(x)
	case *ir.Access:
		return v.kindOfAccess(x)
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

func (v *view) kindOfAccess(x *ir.Access) goScalar {
	switch {
	case v.machine != nil:
		return v.machine.kindOfRead(x)
	case isStepOK(x):
		return scalarBool
	case v.isThisText(x):
		return scalarText
	}
	switch f := v.field(x); {
	case f.form == formScalar, f.form == formPointer && (x.Default == nil || hasDefault(x, f)):
		return goScalars[x.Type.Schema.Kind]
	}

	return 0
}

// isStepOK reports whether an access asks whether the last step went well, which is no value of its own.
func isStepOK(x *ir.Access) bool { return x.Root == ir.RootStepOK && len(x.Path) == 0 }

// isThisText reports whether an access is the item at hand, and that a Go text.
func (v *view) isThisText(x *ir.Access) bool {
	return x.Root == ir.RootThis && len(x.Path) == 0 && v.thisText
}

// hasDefault reports whether a literal stands for what a pointer points to if that is nil. Of a step that has not run there is
// no field, and so no default; what is null is none all the same.
func hasDefault(x *ir.Access, f field) bool {
	literal, isLiteral := x.Default.(*ir.Literal)
	if !isLiteral || x.Type.Schema.Nullable || x.Root == ir.RootStep && !f.guarded {
		return false
	}
	kind, want := kindOfLiteral(literal), goScalars[x.Type.Schema.Kind]

	return kind == want || kind == scalarInt && want == scalarNumber
}

// needs returns the pointers without which an expression that has a kind is none.
func (v *view) needs(x ir.Expression) []string {
	switch x := x.(type) {
	case *ir.Access:
		f := v.field(x)
		if x.Default != nil {
			return f.needs
		}
		return f.pointers()
	case *ir.Method:
		if x.Arg == nil {
			return v.needs(x.X)
		}
	}

	return nil
}

// native returns an expression that has a kind as Go writes it where its value is there.
func (v *view) native(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return alone(nativeLiteral(x))
	case *ir.Access:
		return v.nativeAccess(x)
	case *ir.Method:
		if x.Arg == nil {
			method, _ := builtin.MethodByName(x.Name)
			return alone(jen.Qual("strings", method.Native).Call(v.native(x.X).code))
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

// nativeAccess returns a field of a struct, or what it points to.
func (v *view) nativeAccess(x *ir.Access) term {
	switch {
	case v.machine != nil:
		return alone(v.machine.read(x))
	case isStepOK(x):
		return alone(jen.Id("r").Dot("StepOK").Call())
	case v.isThisText(x):
		return alone(v.variable(v.this))
	}
	f := v.field(x)
	t := alone(f.code())
	switch {
	case f.form == formPointer && x.Default == nil:
		t = term{code: jen.Op("*").Add(f.code()), prec: unaryPrecedence}
	case f.form == formPointer:
		literal, _ := x.Default.(*ir.Literal)
		t = alone(inWorkflow("ValueOr").Call(f.code(), nativeLiteral(literal)))
	}
	if names.IsSchemaType(x.Type.Schema) {
		t = alone(jen.String().Call(t.code))
	}

	return t
}
