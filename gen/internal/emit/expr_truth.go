package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// truth returns an expression over data in the logic of three values. What reads no data is one of two, as anywhere.
func (v *view) truth(x ir.Expression) *jen.Statement {
	if !ir.ReadsData(x) {
		return inWorkflow("Known").Call(v.condition(x).code)
	}
	switch x := x.(type) {
	case *ir.Not:
		return inWorkflow("Not").Call(v.truth(x.X))
	case *ir.Logic:
		return v.truthOfLogic(x)
	case *ir.Compare:
		if ir.ComparesNone(x) {
			return inWorkflow("Known").Call(v.condition(x).code) // it is always known whether a value is there
		}
		comparison := builtin.ComparisonOf(x.Op)
		return notIf(comparison.Negated, inWorkflow(comparison.DecidesGo).Call(v.dynamic(x.X), v.dynamic(x.Y)))
	case *ir.Contains:
		return notIf(x.Not, inWorkflow("IsIn").Call(v.dynamic(x.Y), v.dynamic(x.X)))
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return inWorkflow(method.DecidesGo).Call(v.dynamic(x.X), v.dynamic(x.Arg))
		}
	case *ir.Tuple:
		return inWorkflow("Known").Call(jen.Lit(len(x.Items) > 0))
	}
	if ir.Declared(x) {
		return inWorkflow("IsFilled").Call(v.dynamic(x))
	}

	return inWorkflow("IsTrue").Call(v.dynamic(x))
}

func (v *view) truthOfLogic(x *ir.Logic) *jen.Statement {
	name := "All"
	if x.Or {
		name = "Any"
	}
	operands := make([]jen.Code, len(x.X))
	for i, operand := range x.X {
		operands[i] = v.truth(operand)
	}

	return inWorkflow(name).Call(operands...)
}

// notIf returns a truth, or its opposite.
func notIf(not bool, truth *jen.Statement) *jen.Statement {
	if not {
		return inWorkflow("Not").Call(truth)
	}

	return truth
}
