package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// canBeUnknown reports whether a condition can be neither true nor false at the place. What `a and
// b` asks for in a is known in b.
func (v *view) canBeUnknown(x ir.Expression) bool {
	switch x := x.(type) {
	case *ir.Not:
		return v.canBeUnknown(x.X)
	case *ir.Logic:
		return v.canOneBeUnknown(x)
	case *ir.Compare:
		if _, isNative := v.nativeCompare(x); isNative {
			return false
		}
		if v.canBeNil(x.X) || v.canBeNil(x.Y) {
			return !ir.ComparesNone(x)
		}
	case *ir.Contains:
		if list, isTuple := x.Y.(*ir.Tuple); isTuple && v.scalar(x.X).isThere() {
			return slices.ContainsFunc(list.Items, func(item ir.Expression) bool { return !isLiteral(item) && !v.scalar(item).isThere() })
		}
	case *ir.Method:
		if x.Arg != nil && v.isNativeText(x.X) && v.isNativeText(x.Arg) {
			return false
		}
	}

	return builtin.CanBeUnknown(x)
}

// canBeNil reports whether an expression is a field behind a pointer that can be nil.
func (v *view) canBeNil(x ir.Expression) bool { return len(v.scalar(x).needs) > 0 }

func (v *view) canOneBeUnknown(x *ir.Logic) bool {
	place := *v
	for _, operand := range x.X {
		if place.canBeUnknown(operand) {
			return true
		}
		holds, fails := place.implied(operand)
		if x.Or {
			holds = fails
		}
		place.known = union(place.known, holds)
	}

	return false
}

func (v *view) isNativeText(x ir.Expression) bool {
	s := v.scalar(x)

	return s.isThere() && s.kind == ir.SchemaString
}

// implied returns the pointers that are not nil where a condition holds, and where it fails.
func (v *view) implied(x ir.Expression) (holds, fails []string) {
	switch x := x.(type) {
	case *ir.Not:
		holds, fails = v.implied(x.X)
		return fails, holds
	case *ir.Logic:
		for _, operand := range x.X {
			h, f := v.implied(operand)
			holds, fails = union(holds, h), union(fails, f)
		}
		if x.Or {
			return nil, fails
		}
		return holds, nil
	case *ir.Compare:
		switch subject := ir.AskedForNone(x); {
		case subject == nil:
		case x.Op == ir.OpEqual:
			return nil, v.fieldOf(subject).asked()
		default:
			return v.fieldOf(subject).asked(), nil
		}
	case *ir.Access:
		return v.fieldOf(x).asked(), nil
	}

	return nil, nil
}

// truth returns a condition in the logic of three values.
func (v *view) truth(x ir.Expression) *jen.Statement {
	if !v.canBeUnknown(x) {
		return inWorkflow("Known").Call(v.condition(x).code)
	}
	switch x := x.(type) {
	case *ir.Not:
		return v.truth(x.X).Dot("Not").Call()
	case *ir.Logic:
		return v.joined(x)
	case *ir.Compare:
		return v.compared(x)
	case *ir.Contains:
		return v.contained(x)
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return v.dynamic(x.X).Dot(method.DecidesGo).Call(v.dynamic(x.Arg))
		}
	}

	return v.dynamic(x).Dot("IsTrue").Call()
}

// whereHolds returns a condition in Go that holds where an expression is true: not where it is
// unknown.
func (v *view) whereHolds(x ir.Expression) term {
	if v.canBeUnknown(x) {
		return alone(v.truth(x).Dot("Holds").Call())
	}

	return v.condition(x)
}

// joined returns conditions that `and` or `or` joins.
func (v *view) joined(x *ir.Logic) *jen.Statement {
	name := "And"
	if x.Or {
		name = "Or"
	}
	operands := flattened(x)
	others := ir.Map(operands[1:], func(operand ir.Expression) jen.Code { return v.truth(operand) })

	return v.truth(operands[0]).Dot(name).Call(others...)
}

// compared returns a comparison: of a field that may be missing, of data of others, or of values of
// the workflow.
func (v *view) compared(x *ir.Compare) *jen.Statement {
	comparison := builtin.ComparisonOf(x.Op)
	compare := comparison.ComparesGo
	if ir.ReadsData(x) {
		compare = comparison.DecidesGo
	} else if optional := v.optional(x.X, x.Y); optional != nil {
		return notIf(comparison.Negated, optional.call(comparison.ComparesGo))
	} else if optional := v.optional(x.Y, x.X); optional != nil {
		return notIf(comparison.Negated, optional.call(builtin.ComparisonOf(mirrored(x.Op)).ComparesGo))
	}

	return notIf(comparison.Negated, v.dynamic(x.X).Dot(compare).Call(v.dynamic(x.Y)))
}

// mirrored is the operator of `y op x` that means what `x op y` does.
func mirrored(op ir.CompareOp) ir.CompareOp {
	switch op {
	case ir.OpLess:
		return ir.OpGreater
	case ir.OpLessEqual:
		return ir.OpGreaterEqual
	case ir.OpGreater:
		return ir.OpLess
	case ir.OpGreaterEqual:
		return ir.OpLessEqual
	}

	return op
}

// optionalField is a field that may be missing, and what it is compared with.
type optionalField struct{ field, value *jen.Statement }

func (o *optionalField) call(compare string) *jen.Statement {
	return inWorkflow("Maybe").Call(o.field).Dot(compare).Call(o.value)
}

// optional returns a field that points to a scalar, and a value of its type; nil for anything else.
func (v *view) optional(x, value ir.Expression) *optionalField {
	f, s := v.fieldOf(x), v.scalar(value)
	if f.form != formPointer || len(f.needs) > 0 || !s.isThere() {
		return nil
	}
	schema := x.Is().Schema
	isWhole := schema.Kind == ir.SchemaNumber && s.kind == ir.SchemaInteger && isLiteral(value)
	switch {
	case schema.Kind == ir.SchemaBoolean, s.kind != schema.Kind && !isWhole, names.IsSchemaType(schema) && !isLiteral(value):
		return nil
	}

	return &optionalField{f.code(), s.native().code}
}

// contained returns whether an item is in a container.
func (v *view) contained(x *ir.Contains) *jen.Statement {
	if each := ir.ComparedWithEach(x); each != nil {
		return v.truth(each)
	}
	if ir.ReadsData(x) {
		return notIf(x.Not, v.dynamic(x.X).Dot("IsIn").Call(v.dynamic(x.Y)))
	}

	return notIf(x.Not, v.dynamic(x.Y).Dot("Includes").Call(v.dynamic(x.X)))
}

// notIf returns a truth, or its opposite.
func notIf(not bool, truth *jen.Statement) *jen.Statement {
	if not {
		return truth.Dot("Not").Call()
	}

	return truth
}

// operandsOf are the source of an expression, and what it reads: for a message that says why it
// does not hold.
func (v *view) operandsOf(source ir.Text, x ir.Expression) []jen.Code {
	return append([]jen.Code{code(source.Value)}, v.operands(x)...)
}
