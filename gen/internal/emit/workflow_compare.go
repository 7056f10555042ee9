package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// compare returns a comparison as a condition.
func (v *view) compare(x *ir.Compare) term {
	if ir.ComparesNone(x) {
		return v.compareNone(x)
	}
	if t, ok := v.nativeCompare(x); ok {
		return t
	}
	comparison := builtin.ComparisonOf(x.Op)

	return negatedIf(comparison.Negated, alone(inWorkflow(comparison.HoldsGo).Call(v.dynamic(x.X), v.dynamic(x.Y))))
}

// compareNone returns whether there is a value, or none.
func (v *view) compareNone(x *ir.Compare) term {
	f := v.fieldOf(x.X)
	pointers := f.pointers()
	isField := f.form == formPointer || f.form == formStruct || f.form == formScalar && len(pointers) > 0
	switch {
	case isField && x.Op == ir.OpNotEqual:
		return there(pointers)
	case isField:
		return missing(pointers)
	}

	return negatedIf(x.Op == ir.OpNotEqual, alone(v.dynamic(x.X).Dot("IsNone").Call()))
}

// nativeCompare compares two values of one Go type, of which one may be none. Two that are none would be equal.
func (v *view) nativeCompare(x *ir.Compare) (term, bool) {
	kindA, kindB := v.kindOf(x.X), v.kindOf(x.Y)
	needsA, needsB := v.needs(x.X), v.needs(x.Y)
	equality := x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	switch {
	case kindA == 0 || kindB == 0 || isLiteral(x.X) && isLiteral(x.Y):
		return term{}, false
	case !equality && kindA == scalarBool || equality && len(needsA) > 0 && len(needsB) > 0:
		return term{}, false
	case kindA == scalarNumber && kindB == scalarInt && isLiteral(x.Y), kindA == scalarInt && kindB == scalarNumber && isLiteral(x.X):
	case kindA != kindB:
		return term{}, false
	}
	needs := union(needsA, needsB)
	least := comparePrecedence + 1
	t := comparison(v.side(x.X, x.Y).in(least).Op(string(x.Op)).Add(v.side(x.Y, x.X).in(least)))
	if x.Op == ir.OpNotEqual {
		return orMissing(needs, t), true
	}

	return where(needs, t), true
}

// side returns an operand of a comparison. One whose type has a name stands there as it is where the other one is a literal,
// which takes that type.
func (v *view) side(x, other ir.Expression) term {
	f := v.fieldOf(x)
	access, isAccess := x.(*ir.Access)
	if !isAccess || !isLiteral(other) || f.form == formOther || !names.IsSchemaType(access.Type.Schema) {
		return v.native(x)
	}
	if f.form == formPointer {
		return term{code: jen.Op("*").Add(f.code()), prec: unaryPrecedence}
	}

	return alone(f.code())
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}
