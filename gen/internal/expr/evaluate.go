package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// valueFunc returns the assumed value of an expression; ok is false for one that is computed from
// its operands.
type valueFunc = func(ir.Expression) (workflow.Value, bool)

// Compute evaluates an expression with the functions that generated Go calls. An unknown condition
// has the zero value. known returns assumed values.
func Compute(x ir.Expression, known valueFunc) workflow.Value {
	if value, ok := known(x); ok {
		return value
	}
	switch x := x.(type) {
	case *ir.Literal:
		return workflow.Of(x.Value)
	case *ir.Tuple:
		return workflow.List(ir.Map(x.Items, func(item ir.Expression) workflow.Value { return Compute(item, known) })...)
	case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return decide(x, known, noTruths).Value()
	case *ir.Arithmetic:
		return builtin.OperatorOf(x.Op).Apply(Compute(x.X, known), Compute(x.Y, known))
	case *ir.FuncCall:
		function, _ := builtin.FunctionByName(x.Name)
		if function.Value == nil {
			return decide(x, known, noTruths).Value()
		}
		return function.Value(Compute(x.X, known))
	case *ir.Method:
		if x.Arg != nil {
			return decide(x, known, noTruths).Value()
		}
		method, _ := builtin.MethodByName(x.Name)
		return method.Change(Compute(x.X, known))
	}

	return workflow.Value{}
}

// FormatLiteral writes a literal as a template renders it.
func FormatLiteral(x *ir.Literal) string { return workflow.Of(x.Value).String() }

// decide evaluates a condition in three-valued logic. leaves returns assumed truth values of parts.
func decide(x ir.Expression, known valueFunc, leaves func(ir.Expression) (t workflow.Truth, ok bool)) workflow.Truth {
	if t, ok := leaves(x); ok {
		return t
	}
	switch x := x.(type) {
	case *ir.Not:
		return decide(x.X, known, leaves).Not()
	case *ir.Logic:
		operands := ir.Map(x.X, func(operand ir.Expression) workflow.Truth { return decide(operand, known, leaves) })
		if x.Or {
			return operands[0].Or(operands[1:]...)
		}
		return operands[0].And(operands[1:]...)
	case *ir.Compare:
		return compareValues(x, Compute(x.X, known), Compute(x.Y, known))
	case *ir.Contains:
		if each := ir.ExpandContains(x); each != nil {
			return decide(each, known, leaves)
		}
		return containsValue(x, Compute(x.X, known), Compute(x.Y, known))
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return method.Decides(Compute(x.X, known), Compute(x.Arg, known))
		}
	case *ir.FuncCall:
		if function, _ := builtin.FunctionByName(x.Name); function.Decides != nil {
			return function.Decides(Compute(x.X, known))
		}
	}
	value := Compute(x, known)
	if ir.IsUntypedData(x) {
		return value.IsTrue()
	}

	return workflow.Known(value.True())
}

// compareValues compares two values.
func compareValues(x *ir.Compare, a, b workflow.Value) workflow.Truth {
	if ir.IsNoneTest(x) {
		return workflow.Known(a.Equal(b) == (x.Op == ir.OpEqual))
	}
	comparison := builtin.ComparisonOf(x.Op)
	if ir.ReadsData(x) {
		return negateIf(comparison.Negated, comparison.Decides(a, b))
	}

	return negateIf(comparison.Negated, comparison.Compares(a, b))
}

// containsValue reports whether a container includes an item.
func containsValue(x *ir.Contains, item, container workflow.Value) workflow.Truth {
	if ir.ReadsData(x) {
		return negateIf(x.Not, item.IsIn(container))
	}

	return negateIf(x.Not, container.Includes(item))
}

// negateIf returns a truth value, or its negation.
func negateIf(not bool, t workflow.Truth) workflow.Truth {
	if not {
		return t.Not()
	}

	return t
}
