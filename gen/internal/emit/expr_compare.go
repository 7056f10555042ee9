package emit

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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

	return negatedIf(comparison.Negated, alone(v.dynamic(x.X).Dot(comparison.HoldsGo).Call(v.dynamic(x.Y))))
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
	a, b := v.scalar(x.X), v.scalar(x.Y)
	equality := x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	switch {
	case a.kind == 0 || b.kind == 0 || isLiteral(x.X) && isLiteral(x.Y):
		return term{}, false
	case !equality && a.kind == ir.SchemaBoolean || equality && len(a.needs) > 0 && len(b.needs) > 0:
		return term{}, false
	case a.kind == ir.SchemaNumber && b.kind == ir.SchemaInteger && isLiteral(x.Y), a.kind == ir.SchemaInteger && b.kind == ir.SchemaNumber && isLiteral(x.X):
	case a.kind != b.kind:
		return term{}, false
	}
	needs := union(a.needs, b.needs)
	least := comparePrecedence + 1
	t := comparison(a.beside(x.Y).in(least).Op(string(x.Op)).Add(b.beside(x.X).in(least)))
	if x.Op == ir.OpNotEqual {
		return orMissing(needs, t), true
	}

	return where(needs, t), true
}

// beside returns an operand of a comparison. One whose type has a name is written as it is where the other one is a literal,
// which takes that type.
func (s scalarExpr) beside(other ir.Expression) term {
	if s.named != nil && isLiteral(other) {
		return s.named()
	}

	return s.native()
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}
