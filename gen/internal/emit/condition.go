package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// most is up to how many runes of the source a condition is on one line.
const most = 80

// formula returns a formula as what is behind if, an operand a line if they are many or long.
func (v *view) formula(f *ir.Formula) *jen.Statement {
	if logic, isLogic := f.Root.(*ir.Logic); isLogic {
		return v.logic(logic, len(logic.X) > 2 || len(f.Text.Value) > most).code
	}

	return v.condition(f.Root).code
}

// condition returns an expression as a Go condition.
func (v *view) condition(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return alone(jen.Lit(holds(x)))
	case *ir.Tuple:
		return alone(jen.Lit(len(x.Items) > 0))
	case *ir.Not:
		return negatedIf(true, v.condition(x.X))
	case *ir.Logic:
		return v.logic(x, false)
	case *ir.Compare:
		return v.compare(x)
	case *ir.Contains:
		return negatedIf(x.Not, v.found(x))
	case *ir.Method:
		if x.Arg != nil {
			return v.asksText(x)
		}
	}

	return v.holds(x)
}

// holds returns whether a value holds as a condition.
func (v *view) holds(x ir.Expression) term {
	switch f := v.fieldOf(x); f.form {
	case formTexts:
		return comparison(jen.Len(f.code()).Op(">").Lit(0))
	case formStruct:
		return comparison(f.code().Op("!=").Nil())
	}
	switch s := v.scalar(x); s.kind {
	case 0:
		return alone(v.dynamic(x).Dot("True").Call())
	case ir.SchemaBoolean:
		return s.native()
	default:
		return comparison(s.native().code.Op("!=").Add(zeroOf(s.kind)))
	}
}

// holds reports whether a literal holds.
func holds(x *ir.Literal) bool {
	switch x.Value {
	case nil, false, int64(0), float64(0), "":
		return false
	}

	return true
}

// logic joins conditions.
func (v *view) logic(x *ir.Logic, broken bool) term {
	op, prec := "&&", andPrecedence
	if x.Or {
		op, prec = "||", orPrecedence
	}
	joined := term{&jen.Statement{}, prec}
	operands := distinct(x.X)
	for i, operand := range operands {
		if i > 0 {
			joined.code.Op(op)
			if broken {
				joined.code.Line()
			}
		}
		joined.code.Add(v.condition(operand).in(prec))
	}
	if len(operands) == 1 {
		joined.prec = orPrecedence // whatever the operand is
	}

	return joined
}

// distinct returns the conditions without those that are written as one before them, which go vet reports as redundant.
func distinct(conditions []ir.Expression) []ir.Expression {
	var list []ir.Expression
	for _, c := range conditions {
		if !slices.ContainsFunc(list, func(before ir.Expression) bool { return sameCondition(before, c) }) {
			list = append(list, c)
		}
	}

	return list
}

// sameCondition reports whether two conditions are the same constant or the same text.
func sameCondition(a, b ir.Expression) bool {
	x, isLiteral := a.(*ir.Literal)
	if y, ok := b.(*ir.Literal); ok && isLiteral {
		return holds(x) == holds(y)
	}
	text := a.At().Text()

	return text != "" && text == b.At().Text()
}

// found returns whether an item is in a container.
func (v *view) found(x *ir.Contains) term {
	item := v.scalar(x.X)
	if list, isTuple := x.Y.(*ir.Tuple); isTuple {
		if literals := literalsOf(list, item); literals != nil {
			return v.oneOf(x.X, item, list, literals)
		}

		return alone(v.dynamic(x.X).Dot("OneOf").Call(v.dynamics(list.Items)...))
	}
	switch f, text := v.fieldOf(x.Y), v.scalar(x.Y); {
	case item.kind != ir.SchemaString || item.optional || text.optional:
	case f.form == formTexts:
		return alone(jen.Qual("slices", "Contains").Call(f.code(), item.native().code))
	case text.kind == ir.SchemaString:
		return alone(jen.Qual("strings", "Contains").Call(text.native().code, item.native().code))
	}

	return alone(v.dynamic(x.Y).Dot("Contains").Call(v.dynamic(x.X)))
}

// literalsOf returns the items of a list in Go if they are literals of the kind of what is looked for alone, and its zero is not among
// them where that could mean none; else nil.
func literalsOf(list *ir.Tuple, item scalarExpr) []jen.Code {
	var items []jen.Code
	for _, x := range list.Items {
		literal, isLiteral := x.(*ir.Literal)
		if !isLiteral || kindOfLiteral(literal) != item.kind || item.optional && !holds(literal) {
			return nil
		}
		items = append(items, nativeLiteral(literal))
	}
	if item.kind == ir.SchemaBoolean || item.kind == 0 {
		return nil
	}

	return items
}

// few is how many values a field is compared with one after another.
const few = 3

// oneOf returns whether a value is one of some literals.
func (v *view) oneOf(x ir.Expression, item scalarExpr, list *ir.Tuple, literals []jen.Code) term {
	if f := v.fieldOf(x); f.form != formScalar || len(literals) > few {
		items := jen.Index().Id(goTypes[item.kind].typ).Values(literals...)
		return alone(jen.Qual("slices", "Contains").Call(items, item.native().code))
	}
	joined := &jen.Statement{}
	for i, literal := range literals {
		if i > 0 {
			joined.Op("||")
		}
		joined.Add(item.beside(list.Items[i]).in(comparePrecedence + 1)).Op("==").Add(literal)
	}

	return term{joined, orPrecedence}
}

// asksText returns a method that is true or false.
func (v *view) asksText(x *ir.Method) term {
	method, _ := builtin.MethodByName(x.Name)
	text, part := v.scalar(x.X), v.scalar(x.Arg)
	if text.kind == ir.SchemaString && part.kind == ir.SchemaString && !text.optional && !part.optional {
		return alone(jen.Qual("strings", method.Native).Call(text.native().code, part.native().code))
	}

	return alone(v.dynamic(x.X).Dot(method.Go).Call(v.dynamic(x.Arg)))
}

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
	if f := v.fieldOf(x.X); f.form == formPointer || f.form == formStruct {
		return comparison(f.code().Op(string(x.Op)).Nil())
	}

	return negatedIf(x.Op == ir.OpNotEqual, alone(v.dynamic(x.X).Dot("IsNone").Call()))
}

// nativeCompare compares two values of one Go type. One that may be none is compared with a literal, if Go's zero compares as none
// does.
func (v *view) nativeCompare(x *ir.Compare) (term, bool) {
	a, b := v.scalar(x.X), v.scalar(x.Y)
	equality := x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	switch {
	case a.kind == 0 || b.kind == 0 || isLiteral(x.X) && isLiteral(x.Y) || !equality && a.kind == ir.SchemaBoolean:
		return term{}, false
	case b.optional || a.optional && !zeroIsNone(x):
		return term{}, false
	case a.kind == ir.SchemaNumber && b.kind == ir.SchemaInteger && isLiteral(x.Y), a.kind == ir.SchemaInteger && b.kind == ir.SchemaNumber && isLiteral(x.X):
	case a.kind != b.kind:
		return term{}, false
	}
	least := comparePrecedence + 1

	return comparison(a.beside(x.Y).in(least).Op(string(x.Op)).Add(b.beside(x.X).in(least))), true
}

// zeroIsNone reports whether a comparison with a literal is the same for Go's zero as for none, which is equal to nothing else, and
// neither less nor greater.
func zeroIsNone(x *ir.Compare) bool {
	literal, isLiteral := x.Y.(*ir.Literal)
	if !isLiteral {
		return false
	}
	zero := !holds(literal)
	switch x.Op {
	case ir.OpEqual, ir.OpNotEqual:
		return !zero
	case ir.OpGreater:
		return zero || isPositive(literal)
	case ir.OpGreaterEqual:
		return isPositive(literal)
	}

	return false
}

// isPositive reports whether a literal is above Go's zero.
func isPositive(x *ir.Literal) bool {
	switch value := x.Value.(type) {
	case int64:
		return value > 0
	case float64:
		return value > 0
	case string:
		return value != ""
	}

	return false
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
