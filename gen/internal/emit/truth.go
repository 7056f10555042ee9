package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// canBeUnknown reports whether a condition can be neither true nor false here. In `a and b`, b
// assumes that a is true.
func (v *view) canBeUnknown(x ir.Expression) bool {
	switch x := x.(type) {
	case *ir.Not:
		return v.canBeUnknown(x.X)
	case *ir.Logic:
		return v.canOneBeUnknown(x)
	case *ir.Compare:
		if _, isNative := v.nativeCompareCode(x); isNative {
			return false
		}
		if v.canBeNil(x.X) || v.canBeNil(x.Y) {
			return !ir.IsNoneTest(x)
		}
	case *ir.Contains:
		if list, isTuple := x.Y.(*ir.Tuple); isTuple && v.scalarOf(x.X).isAlwaysThere() {
			return slices.ContainsFunc(list.Items, func(item ir.Expression) bool { return !isLiteral(item) && !v.scalarOf(item).isAlwaysThere() })
		}
	case *ir.Method:
		if x.Arg != nil && v.isNativeText(x.X) && v.isNativeText(x.Arg) {
			return false
		}
	}

	return builtin.CanBeUnknown(x)
}

// canBeNil reports whether an expression is a field after a pointer that can be nil.
func (v *view) canBeNil(x ir.Expression) bool { return len(v.scalarOf(x).needs) > 0 }

func (v *view) canOneBeUnknown(x *ir.Logic) bool {
	place := *v
	for _, operand := range x.X {
		if place.canBeUnknown(operand) {
			return true
		}
		holds, fails := place.impliedPointers(operand)
		if x.Or {
			holds = fails
		}
		place.known = mergePointers(place.known, holds)
	}

	return false
}

func (v *view) isNativeText(x ir.Expression) bool {
	s := v.scalarOf(x)

	return s.isAlwaysThere() && s.kind == ir.SchemaString
}

// impliedPointers returns the pointers that are not nil if a condition is true, and if it is false.
func (v *view) impliedPointers(x ir.Expression) (holds, fails []string) {
	switch x := x.(type) {
	case *ir.Not:
		holds, fails = v.impliedPointers(x.X)
		return fails, holds
	case *ir.Logic:
		for _, operand := range x.X {
			h, f := v.impliedPointers(operand)
			holds, fails = mergePointers(holds, h), mergePointers(fails, f)
		}
		if x.Or {
			return nil, fails
		}
		return holds, nil
	case *ir.Compare:
		switch subject := ir.ComparedWithNone(x); {
		case subject == nil:
		case x.Op == ir.OpEqual:
			return nil, v.fieldOfExpression(subject).comparedPointers()
		default:
			return v.fieldOfExpression(subject).comparedPointers(), nil
		}
	case *ir.Access:
		return v.fieldOfExpression(x).comparedPointers(), nil
	}

	return nil, nil
}

// truthValueCode returns a condition in the logic of three values.
func (v *view) truthValueCode(x ir.Expression) *jen.Statement {
	if !v.canBeUnknown(x) {
		return inWorkflow("Known").Call(v.conditionCode(x).code)
	}
	switch x := x.(type) {
	case *ir.Not:
		return v.truthValueCode(x.X).Dot("Not").Call()
	case *ir.Logic:
		return v.joinedTruth(x)
	case *ir.Compare:
		return v.comparedTruth(x)
	case *ir.Contains:
		return v.containedTruth(x)
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return v.valueCode(x.X).Dot(method.DecidesGo).Call(v.valueCode(x.Arg))
		}
	case *ir.FuncCall:
		if function, _ := builtin.FunctionByName(x.Name); function.Decides != nil {
			return v.valueCode(x.X).Dot(function.Go).Call()
		}
	}

	return v.valueCode(x).Dot("IsTrue").Call()
}

// whereHolds returns a Go condition that is true if the expression is true, and false if it is
// unknown.
func (v *view) whereHolds(x ir.Expression) term {
	if v.canBeUnknown(x) {
		return primaryTerm(v.truthValueCode(x).Dot("Holds").Call())
	}

	return v.conditionCode(x)
}

// joinedTruth returns conditions joined by `and` or `or`.
func (v *view) joinedTruth(x *ir.Logic) *jen.Statement {
	name := "And"
	if x.Or {
		name = "Or"
	}
	operands := flattenLogic(x)
	others := ir.Map(operands[1:], func(operand ir.Expression) jen.Code { return v.truthValueCode(operand) })

	return v.truthValueCode(operands[0]).Dot(name).Call(others...)
}

// comparedTruth returns a comparison: of a field that may be missing, of foreign data, or of values
// of the workflow.
func (v *view) comparedTruth(x *ir.Compare) *jen.Statement {
	comparison := builtin.ComparisonOf(x.Op)
	compare := comparison.ComparesGo
	if ir.ReadsData(x) {
		compare = comparison.DecidesGo
	} else if optional := v.asOptionalField(x.X, x.Y); optional != nil {
		return negateTruthIf(comparison.Negated, optional.callCode(comparison.ComparesGo))
	} else if optional := v.asOptionalField(x.Y, x.X); optional != nil {
		return negateTruthIf(comparison.Negated, optional.callCode(builtin.ComparisonOf(mirrorOperator(x.Op)).ComparesGo))
	}

	return negateTruthIf(comparison.Negated, v.valueCode(x.X).Dot(compare).Call(v.valueCode(x.Y)))
}

// mirrorOperator returns the operator of `y op x` with the meaning of `x op y`.
func mirrorOperator(op ir.CompareOp) ir.CompareOp {
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

// optionalField is a field that may be missing, and the value to compare it with.
type optionalField struct{ field, value *jen.Statement }

func (o *optionalField) callCode(compare string) *jen.Statement {
	return inWorkflow("Maybe").Call(o.field).Dot(compare).Call(o.value)
}

// asOptionalField returns a field that points to a scalar, and a value of its type; nil for
// anything else.
func (v *view) asOptionalField(x, value ir.Expression) *optionalField {
	f, s := v.fieldOfExpression(x), v.scalarOf(value)
	if f.form != formPointer || len(f.needs) > 0 || !s.isAlwaysThere() {
		return nil
	}
	schema := x.ValueType().Schema
	if schema.Kind == ir.SchemaBoolean {
		return nil
	}
	if s.kind != schema.Kind && !isWholeNumber(s, value, schema.Kind) {
		return nil
	}
	if names.IsSchemaType(schema) && !isLiteral(value) {
		return nil
	}

	return &optionalField{f.fieldCode(), s.native().code}
}

// containedTruth returns whether an item is in a container.
func (v *view) containedTruth(x *ir.Contains) *jen.Statement {
	if each := ir.ExpandContains(x); each != nil {
		return v.truthValueCode(each)
	}
	if ir.ReadsData(x) {
		return negateTruthIf(x.Not, v.valueCode(x.X).Dot("IsIn").Call(v.valueCode(x.Y)))
	}

	return negateTruthIf(x.Not, v.valueCode(x.Y).Dot("Includes").Call(v.valueCode(x.X)))
}

// negateTruthIf returns a truth value, or its negation.
func negateTruthIf(not bool, truth *jen.Statement) *jen.Statement {
	if not {
		return truth.Dot("Not").Call()
	}

	return truth
}

// sourceAndOperands returns the source of an expression and the values that it reads, for the
// message about a failed guard.
func (v *view) sourceAndOperands(source ir.Text, x ir.Expression) []jen.Code {
	return append([]jen.Code{codeLiteral(source.Value)}, v.operandsCode(x)...)
}
