package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// values reports what an expression is taken to be; ok is false for one that is to be computed from its operands.
type values = func(ir.Expression) (workflow.Value, bool)

// Compute returns the value of an expression, by the functions that generated Go calls; none for a condition that is unknown. known
// reports what a part of it is taken to be; ok is false for one that is to be computed from its operands.
func Compute(x ir.Expression, known values) workflow.Value {
	if value, ok := known(x); ok {
		return value
	}
	switch x := x.(type) {
	case *ir.Literal:
		return workflow.Of(x.Value)
	case *ir.Tuple:
		return workflow.List(ir.Map(x.Items, func(item ir.Expression) workflow.Value { return Compute(item, known) })...)
	case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return decide(x, known, noLeaves).Value()
	case *ir.Method:
		if x.Arg != nil {
			return decide(x, known, noLeaves).Value()
		}
		method, _ := builtin.MethodByName(x.Name)
		return method.Change(Compute(x.X, known))
	}

	return workflow.Value{}
}

// Text is what a literal looks like in a text.
func Text(x *ir.Literal) string { return workflow.Of(x.Value).String() }

// decide computes a condition in the logic of three values. leaves reports what a part of it is taken to be; ok is false for one that is
// to be computed.
func decide(x ir.Expression, known values, leaves func(ir.Expression) (t workflow.Truth, ok bool)) workflow.Truth {
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
		return compared(x, Compute(x.X, known), Compute(x.Y, known))
	case *ir.Contains:
		if each := ir.ComparedWithEach(x); each != nil {
			return decide(each, known, leaves)
		}
		return contained(x, Compute(x.X, known), Compute(x.Y, known))
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return method.Decides(Compute(x.X, known), Compute(x.Arg, known))
		}
	}
	value := Compute(x, known)
	if ir.IsOpenData(x) {
		return value.IsTrue()
	}

	return workflow.Known(value.True())
}

// compared compares two values.
func compared(x *ir.Compare, a, b workflow.Value) workflow.Truth {
	if ir.ComparesNone(x) {
		return workflow.Known(a.Equal(b) == (x.Op == ir.OpEqual))
	}
	comparison := builtin.ComparisonOf(x.Op)
	if ir.ReadsData(x) {
		return notIf(comparison.Negated, comparison.Decides(a, b))
	}

	return notIf(comparison.Negated, comparison.Compares(a, b))
}

// contained looks for a value in another one.
func contained(x *ir.Contains, item, container workflow.Value) workflow.Truth {
	if ir.ReadsData(x) {
		return notIf(x.Not, item.IsIn(container))
	}

	return notIf(x.Not, container.Includes(item))
}

// notIf returns a truth, or its opposite.
func notIf(not bool, t workflow.Truth) workflow.Truth {
	if not {
		return t.Not()
	}

	return t
}
