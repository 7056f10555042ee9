package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// values reports what an expression is taken to be; ok is false for one that is to be computed from its operands.
type values = func(ir.Expression) (workflow.Value, bool)

// Compute returns the value of an expression, by the functions that generated Go calls. known reports what a part of it is taken to be; ok is
// false for one that is to be computed from its operands.
func Compute(x ir.Expression, known values) workflow.Value {
	if value, ok := known(x); ok {
		return value
	}
	switch x := x.(type) {
	case *ir.Literal:
		return workflow.Of(x.Value)
	case *ir.Tuple:
		return workflow.List(ir.Map(x.Items, func(item ir.Expression) workflow.Value { return Compute(item, known) })...)
	case *ir.Not:
		return workflow.Of(!Compute(x.X, known).True())
	case *ir.Logic:
		isTrue := func(operand ir.Expression) bool { return Compute(operand, known).True() == x.Or }
		return workflow.Of(slices.ContainsFunc(x.X, isTrue) == x.Or)
	case *ir.Compare:
		comparison := builtin.ComparisonOf(x.Op)
		return workflow.Of(comparison.Holds(Compute(x.X, known), Compute(x.Y, known)) != comparison.Negated)
	case *ir.Contains:
		return workflow.Of(Compute(x.Y, known).Contains(Compute(x.X, known)) != x.Not)
	case *ir.Method:
		if method, _ := builtin.MethodByName(x.Name); x.Arg != nil {
			return workflow.Of(method.Holds(Compute(x.X, known), Compute(x.Arg, known)))
		} else {
			return method.Change(Compute(x.X, known))
		}
	}

	return workflow.Value{}
}

// Text is what a literal looks like in a text.
func Text(x *ir.Literal) string { return workflow.Of(x.Value).String() }

// decide computes a condition as the guard of a row does, which has a third value over data of others. leaves reports what a part of
// it is taken to be; ok is false for one that is to be computed.
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
	}
	if !ir.ReadsData(x) {
		return workflow.Known(Compute(x, known).True())
	}

	return decideLeaf(x, known)
}

// decideLeaf decides what no `and`, `or` or `not` joins, and what reads data.
func decideLeaf(x ir.Expression, known values) workflow.Truth {
	notIf := func(not bool, t workflow.Truth) workflow.Truth {
		if not {
			return t.Not()
		}
		return t
	}
	switch x := x.(type) {
	case *ir.Tuple:
		return workflow.Known(len(x.Items) > 0)
	case *ir.Compare:
		if ir.ComparesNone(x) {
			return workflow.Known(Compute(x, known).True())
		}
		comparison := builtin.ComparisonOf(x.Op)
		return notIf(comparison.Negated, comparison.Decides(Compute(x.X, known), Compute(x.Y, known)))
	case *ir.Contains:
		return notIf(x.Not, Compute(x.X, known).IsIn(Compute(x.Y, known)))
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return method.Decides(Compute(x.X, known), Compute(x.Arg, known))
		}
	}
	if ir.Declared(x) {
		return Compute(x, known).IsFilled()
	}

	return Compute(x, known).IsTrue()
}
