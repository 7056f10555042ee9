package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// formula returns a formula as what stands behind if.
func (v *view) formula(depth int, f *ir.Formula) *jen.Statement {
	logic, isLogic := f.Root.(*ir.Logic)
	if !isLogic {
		return v.condition(f.Root).code
	}

	return fitted(depth, func(broken bool) *jen.Statement { return v.logic(logic, broken).code })
}

// condition returns an expression as a Go condition.
func (v *view) condition(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return term{jen.Lit(holds(x)), primary}
	case *ir.Tuple:
		return term{jen.Lit(len(x.Items) > 0), primary}
	case *ir.Not:
		return negated(v.condition(x.X))
	case *ir.Logic:
		return v.logic(x, false)
	case *ir.Compare:
		return v.compare(x)
	case *ir.Contains:
		return v.contains(x)
	case *ir.Method:
		if x.Arg != nil {
			return v.hasEnd(x)
		}
	}

	return v.holds(x)
}

// holds returns whether a value holds as a condition.
func (v *view) holds(x ir.Expression) term {
	if texts := v.texts(x); texts != nil {
		return term{jen.Len(texts).Op(">").Lit(0), comparePrecedence}
	}
	switch v.kindOf(x) {
	case 0:
		return term{v.dynamic(x).Dot("True").Call(), primary}
	case scalarBool:
		return v.native(x)
	case scalarText:
		return term{v.native(x).code.Op("!=").Lit(""), comparePrecedence}
	}

	return term{v.native(x).code.Op("!=").Lit(0), comparePrecedence}
}

// holds reports whether a literal holds.
func holds(x *ir.Literal) bool {
	switch x.Value {
	case nil, false, int64(0), float64(0), "":
		return false
	}

	return true
}

func negated(t term) term { return term{jen.Op("!").Add(t.in(unaryPrecedence)), unaryPrecedence} }

func (v *view) logic(x *ir.Logic, broken bool) term {
	op, prec := "&&", andPrecedence
	if x.Or {
		op, prec = "||", orPrecedence
	}
	joined := &jen.Statement{}
	for i, operand := range x.X {
		if i > 0 {
			joined.Op(op)
			if broken {
				joined.Line()
			}
		}
		joined.Add(v.condition(operand).in(prec))
	}
	if len(x.X) == 1 {
		prec = orPrecedence // whatever the operand is
	}

	return term{joined, prec}
}

func (v *view) compare(x *ir.Compare) term {
	if isNone(x.Y) && (x.Op == ir.OpEqual || x.Op == ir.OpNotEqual) {
		none := term{v.dynamic(x.X).Dot("IsNone").Call(), primary}
		if x.Op == ir.OpNotEqual {
			return negated(none)
		}
		return none
	}
	if t, ok := v.nativeCompare(x); ok {
		return t
	}
	if t, ok := v.pointerCompare(x); ok {
		return t
	}
	a, b := v.dynamic(x.X), v.dynamic(x.Y)
	call := func(name string, a, b *jen.Statement) term { return term{inWorkflow(name).Call(a, b), primary} }
	switch x.Op {
	case ir.OpNotEqual:
		return negated(call("Equal", a, b))
	case ir.OpLess:
		return call("Less", a, b)
	case ir.OpLessEqual:
		return call("LessEqual", a, b)
	case ir.OpGreater:
		return call("Greater", a, b)
	case ir.OpGreaterEqual:
		return call("GreaterEqual", a, b)
	}

	return call("Equal", a, b)
}

func isNone(x ir.Expression) bool {
	literal, isLiteral := x.(*ir.Literal)

	return isLiteral && literal.Value == nil
}

// nativeCompare compares two values of one Go type.
func (v *view) nativeCompare(x *ir.Compare) (term, bool) {
	kindA, kindB := v.kindOf(x.X), v.kindOf(x.Y)
	switch {
	case kindA == 0 || kindB == 0 || isLiteral(x.X) && isLiteral(x.Y):
		return term{}, false
	case kindA == scalarBool && x.Op != ir.OpEqual && x.Op != ir.OpNotEqual:
		return term{}, false
	case kindA == scalarNumber && kindB == scalarInt && isLiteral(x.Y), kindA == scalarInt && kindB == scalarNumber && isLiteral(x.X):
	case kindA != kindB:
		return term{}, false
	}
	least := comparePrecedence + 1

	return term{v.side(x.X, x.Y).in(least).Op(string(x.Op)).Add(v.side(x.Y, x.X).in(least)), comparePrecedence}, true
}

// pointerCompare compares what may be none with a literal of its type.
func (v *view) pointerCompare(x *ir.Compare) (term, bool) {
	access, isAccess := x.X.(*ir.Access)
	literal, isLiteral := x.Y.(*ir.Literal)
	if !isAccess || !isLiteral || literal.Value == nil || x.Op != ir.OpEqual && x.Op != ir.OpNotEqual {
		return term{}, false
	}
	if access.Type.Schema == nil || goScalars[access.Type.Schema.Kind] != kindOfLiteral(literal) {
		return term{}, false
	}
	field := v.field(access, formPointer)
	if field == nil {
		return term{}, false
	}
	is := term{inWorkflow("Is").Call(field, nativeLiteral(literal)), primary}
	if x.Op == ir.OpNotEqual {
		return negated(is), true
	}

	return is, true
}

// side returns an operand of a comparison. One whose type has a name stands there as it is where the other one is a literal, which
// takes that type.
func (v *view) side(x, other ir.Expression) term {
	access, isAccess := x.(*ir.Access)
	if isAccess && isLiteral(other) && access.Type.Schema != nil && names.IsSchemaType(access.Type.Schema) {
		return term{v.field(access, formScalar), primary}
	}

	return v.native(x)
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}

func (v *view) contains(x *ir.Contains) term {
	found := term{v.containsCall(x), primary}
	if x.Not {
		return negated(found)
	}

	return found
}

func (v *view) containsCall(x *ir.Contains) *jen.Statement {
	if list, isTuple := x.Y.(*ir.Tuple); isTuple {
		return call(list.Span, inWorkflow("OneOf"), append([]jen.Code{v.dynamic(x.X)}, v.dynamics(list.Items)...)...)
	}
	isText := v.kindOf(x.X) == scalarText
	if texts := v.texts(x.Y); texts != nil && isText {
		return jen.Qual("slices", "Contains").Call(texts, v.native(x.X).code)
	}
	if isText && v.kindOf(x.Y) == scalarText {
		return jen.Qual("strings", "Contains").Call(v.native(x.Y).code, v.native(x.X).code)
	}

	return inWorkflow("Contains").Call(v.dynamic(x.Y), v.dynamic(x.X))
}

// texts returns a field that is a list of texts; nil for anything else.
func (v *view) texts(x ir.Expression) *jen.Statement {
	access, isAccess := x.(*ir.Access)
	if !isAccess {
		return nil
	}

	return v.field(access, formTexts)
}

// hasEnd returns whether a text begins or ends with another.
func (v *view) hasEnd(x *ir.Method) term {
	native, method := "HasPrefix", "StartsWith"
	if x.Name == "endswith" {
		native, method = "HasSuffix", "EndsWith"
	}
	if v.kindOf(x.X) == scalarText && v.kindOf(x.Arg) == scalarText {
		return term{jen.Qual("strings", native).Call(v.native(x.X).code, v.native(x.Arg).code), primary}
	}

	return term{v.dynamic(x.X).Dot(method).Call(v.dynamic(x.Arg)), primary}
}
