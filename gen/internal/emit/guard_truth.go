package emit

import (
	"github.com/dave/jennifer/jen"

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
		return v.truthOfCompare(x)
	case *ir.Contains:
		in := inWorkflow("IsIn").Call(v.dynamic(x.Y), v.dynamic(x.X))
		if x.Not {
			return inWorkflow("Not").Call(in)
		}
		return in
	case *ir.Method:
		if x.Arg != nil {
			name := map[string]string{"startswith": "HasStart", "endswith": "HasEnd"}[x.Name]
			return inWorkflow(name).Call(v.dynamic(x.X), v.dynamic(x.Arg))
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

// truthOfCompare compares two values. Whether a member is None is always known: so the source asks whether it is there.
func (v *view) truthOfCompare(x *ir.Compare) *jen.Statement {
	if ir.ComparesNone(x) {
		return inWorkflow("Known").Call(v.condition(x).code)
	}
	a, b := v.dynamic(x.X), v.dynamic(x.Y)
	switch x.Op {
	case ir.OpNotEqual:
		return inWorkflow("Not").Call(inWorkflow("Is").Call(a, b))
	case ir.OpLess:
		return inWorkflow("IsLess").Call(a, b)
	case ir.OpLessEqual:
		return inWorkflow("IsAtMost").Call(a, b)
	case ir.OpGreater:
		return inWorkflow("IsLess").Call(b, a)
	case ir.OpGreaterEqual:
		return inWorkflow("IsAtMost").Call(b, a)
	}

	return inWorkflow("Is").Call(a, b)
}
