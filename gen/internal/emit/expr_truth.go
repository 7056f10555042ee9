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
		return v.truth(x.X).Dot("Not").Call()
	case *ir.Logic:
		return v.truthOfLogic(x)
	case *ir.Compare:
		if ir.ComparesNone(x) {
			return inWorkflow("Known").Call(v.condition(x).code) // it is always known whether a value is there
		}
		comparison := builtin.ComparisonOf(x.Op)
		return notIf(comparison.Negated, v.dynamic(x.X).Dot(comparison.DecidesGo).Call(v.dynamic(x.Y)))
	case *ir.Contains:
		return notIf(x.Not, v.dynamic(x.X).Dot("IsIn").Call(v.dynamic(x.Y)))
	case *ir.Method:
		if x.Arg != nil {
			method, _ := builtin.MethodByName(x.Name)
			return v.dynamic(x.X).Dot(method.DecidesGo).Call(v.dynamic(x.Arg))
		}
	case *ir.Tuple:
		return inWorkflow("Known").Call(jen.Lit(len(x.Items) > 0))
	}
	if ir.Declared(x) {
		return v.dynamic(x).Dot("IsFilled").Call()
	}

	return v.dynamic(x).Dot("IsTrue").Call()
}

func (v *view) truthOfLogic(x *ir.Logic) *jen.Statement {
	name := "And"
	if x.Or {
		name = "Or"
	}
	others := make([]jen.Code, len(x.X)-1)
	for i, operand := range x.X[1:] {
		others[i] = v.truth(operand)
	}

	return v.truth(x.X[0]).Dot(name).Call(others...)
}

// notIf returns a truth, or its opposite.
func notIf(not bool, truth *jen.Statement) *jen.Statement {
	if not {
		return truth.Dot("Not").Call()
	}

	return truth
}
