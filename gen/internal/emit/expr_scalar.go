package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// scalarExpr is an expression with a scalar Go type. The zero value is any other expression.
type scalarExpr struct {
	kind ir.SchemaKind
	// needs are the pointers that must not be nil for the value to exist.
	needs []string
	// native returns the value, if it exists. Code is generated only when it is called, so that
	// each part of an expression is generated once, however deep it is.
	native func() term
	// named returns a field of a named type, without the conversion to text. It is nil for any
	// other expression.
	named func() term
}

// scalarOf returns an expression as a scalar of Go.
func (v *view) scalarOf(x ir.Expression) scalarExpr {
	switch x := x.(type) {
	case *ir.Literal:
		return alwaysThere(literalKind(x), nativeLiteralCode(x))
	case *ir.Access:
		if v.machine != nil {
			return v.machine.guardScalar(x)
		}
		return v.accessScalar(x)
	case *ir.Tuple, *ir.Placeholder:
		return scalarExpr{}
	case *ir.Arithmetic:
		return v.arithmeticScalar(x)
	case *ir.FuncCall:
		if x.Name == ir.FuncLen {
			return v.lengthScalar(x)
		}
	case *ir.Method:
		if x.Arg != nil {
			break
		}
		inner := v.scalarOf(x.X)
		if inner.kind != ir.SchemaString {
			return scalarExpr{}
		}
		method, _ := builtin.MethodByName(x.Name)
		return scalarExpr{kind: ir.SchemaString, needs: inner.needs, native: func() term {
			return primaryTerm(jen.Qual("strings", method.Native).Call(inner.native().code))
		}}
	}

	if v.canBeUnknown(x) {
		return scalarExpr{}
	}

	return scalarExpr{kind: ir.SchemaBoolean, native: func() term { return v.conditionCode(x) }}
}

// alwaysThere returns a scalar that always exists.
func alwaysThere(kind ir.SchemaKind, code *jen.Statement) scalarExpr {
	return scalarExpr{kind: kind, native: func() term { return primaryTerm(code) }}
}

// accessScalar returns a field of a struct, its target, or a value of the run as a scalar.
func (v *view) accessScalar(x *ir.Access) scalarExpr {
	switch {
	case x.Root == ir.RootStepOK && len(x.Path) == 0:
		return alwaysThere(ir.SchemaBoolean, jen.Id("r").Dot("StepOK").Call())
	case turnMethods[x.Root] != "":
		return alwaysThere(x.Type.Schema.Kind, jen.Id("r").Dot(turnMethods[x.Root]).Call())
	case x.Root == ir.RootAtBound:
		return alwaysThere(ir.SchemaBoolean, v.stepCode(x.Output).Dot("True").Call())
	case x.Root == ir.RootItemIndex:
		return scalarExpr{kind: ir.SchemaInteger, native: func() term { return primaryTerm(jen.Int64().Call(v.useVariable(itemIndex))) }}
	case x.Root == ir.RootItemFirst:
		return scalarExpr{kind: ir.SchemaBoolean, native: func() term { return comparisonTerm(v.useVariable(itemIndex).Op("==").Lit(0)) }}
	case x.Root == ir.RootItemLast:
		return scalarExpr{kind: ir.SchemaBoolean, native: func() term {
			return comparisonTerm(v.useVariable(itemIndex).Op("==").Add(v.useVariable(lastIndex)))
		}}
	case x.Root == ir.RootThis && len(x.Path) == 0 && v.thisText:
		return scalarExpr{kind: ir.SchemaString, native: func() term { return primaryTerm(v.useVariable(v.this)) }}
	}
	f := v.fieldAt(x)
	s := scalarExpr{needs: f.nilPointers()}
	t := primaryTerm(f.fieldCode())
	switch {
	case f.form == formPointer && x.Default == nil:
		t = term{code: jen.Op("*").Add(f.fieldCode()), prec: unaryPrecedence}
	case f.form == formPointer && hasDefault(x, f):
		literal, _ := x.Default.(*ir.Literal)
		t, s.needs = primaryTerm(inWorkflow("ValueOr").Call(f.fieldCode(), nativeLiteralCode(literal))), f.needs
	case f.form != formScalar:
		return scalarExpr{}
	}
	s.kind = x.Type.Schema.Kind
	s.native = func() term { return t }
	if names.IsSchemaType(x.Type.Schema) {
		s.native = func() term { return primaryTerm(jen.String().Call(t.code)) }
		if x.Default == nil {
			s.named = func() term { return t }
		}
	}

	return s
}

// hasDefault reports whether a literal replaces the target of a nil pointer. The fields of a step
// that has not run have no default, and null remains a missing value.
func hasDefault(x *ir.Access, f field) bool {
	literal, isLiteral := x.Default.(*ir.Literal)
	if !isLiteral || x.Type.Schema.Nullable || x.Root == ir.RootStep && !f.guarded {
		return false
	}
	kind, want := literalKind(literal), x.Type.Schema.Kind

	return kind == want || kind == ir.SchemaInteger && want == ir.SchemaNumber
}

// literalKind returns the kind of a literal, or 0 if it has no kind.
func literalKind(x *ir.Literal) ir.SchemaKind {
	if s := x.ValueType().Schema; s != nil {
		return s.Kind
	}

	return 0
}

func nativeLiteralCode(x *ir.Literal) *jen.Statement {
	switch value := x.Value.(type) {
	case string:
		return textLiteral(value)
	case int64:
		return jen.Op(strconv.FormatInt(value, 10))
	}

	return jen.Lit(x.Value)
}
