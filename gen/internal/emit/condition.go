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

// condition returns an expression that is never unknown as a Go condition.
func (v *view) condition(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return alone(jen.Lit(holds(x)))
	case *ir.Tuple:
		return alone(jen.Lit(len(x.Items) > 0))
	case *ir.Not:
		return negated(v.condition(x.X))
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
		return where(f.needs, comparison(jen.Len(f.code()).Op(">").Lit(0)))
	case formStruct:
		return there(f.asked())
	}
	s := v.scalar(x)
	switch s.kind {
	case 0:
		return alone(v.dynamic(x).Dot("True").Call())
	case ir.SchemaBoolean:
		return where(s.needs, s.native())
	case ir.SchemaString:
		return where(s.needs, comparison(s.native().code.Op("!=").Lit("")))
	}

	return where(s.needs, comparison(s.native().code.Op("!=").Lit(0)))
}

// holds reports whether a literal holds.
func holds(x *ir.Literal) bool {
	switch x.Value {
	case nil, false, int64(0), float64(0), "":
		return false
	}

	return true
}

// logic joins conditions. What one of them asks for is known in those behind it: they are reached
// only where those of `a and b` before them hold, and those of `a or b` do not. What go vet would
// report, because conditions repeat or contradict each other, is joined by the functions of three
// values.
func (v *view) logic(x *ir.Logic, broken bool) term {
	op, prec := "&&", andPrecedence
	if x.Or {
		op, prec = "||", orPrecedence
	}
	joined := term{code: &jen.Statement{}, prec: prec}
	place := v
	operands := distinct(flattened(x))
	for i, operand := range operands {
		if i > 0 {
			joined.code.Op(op)
			if broken {
				joined.code.Line()
			}
		}
		t := place.condition(operand)
		joined.code.Add(t.in(prec))
		place = place.behind(t, !x.Or)
		if x.Or {
			joined.denies = union(joined.denies, t.denies)
		} else {
			joined.implies = union(joined.implies, t.implies)
		}
	}
	if len(operands) == 1 {
		joined.prec = orPrecedence // whatever the operand is
	}
	if isSuspect(joined.code) {
		joined.code, joined.prec = v.joined(x).Dot("Holds").Call(), primary
	}

	return joined
}

// flattened returns what `a and (b and c)` joins, or `a or (b or c)`.
func flattened(x *ir.Logic) []ir.Expression {
	return ir.Flat(x.X, func(operand ir.Expression) []ir.Expression {
		if inner, isLogic := operand.(*ir.Logic); isLogic && inner.Or == x.Or {
			return flattened(inner)
		}
		return []ir.Expression{operand}
	})
}

// distinct returns the conditions without those that are written as one before them, which go vet
// reports as redundant.
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
		list = withoutRepeats(list)
		if literals := literalsOf(list, item.kind); literals != nil {
			return where(item.needs, v.oneOf(x.X, item, list, literals))
		}
		return alone(v.dynamic(x.X).Dot("OneOf").Call(v.dynamics(list.Items)...))
	}
	switch f, text := v.fieldOf(x.Y), v.scalar(x.Y); {
	case item.kind != ir.SchemaString:
	case f.form == formTexts:
		return where(union(item.needs, f.needs), alone(jen.Qual("slices", "Contains").Call(f.code(), item.native().code)))
	case text.kind == ir.SchemaString:
		found := jen.Qual("strings", "Contains").Call(text.native().code, item.native().code)
		return where(union(item.needs, text.needs), alone(found))
	}

	return alone(v.dynamic(x.Y).Dot("Contains").Call(v.dynamic(x.X)))
}

// withoutRepeats returns a list in which each literal is once: go vet refuses a condition that asks
// the same twice.
func withoutRepeats(list *ir.Tuple) *ir.Tuple {
	once := &ir.Tuple{Span: list.Span}
	known := map[any]bool{}
	for _, item := range list.Items {
		literal, isLiteral := item.(*ir.Literal)
		if isLiteral && known[literal.Value] {
			continue
		}
		if isLiteral {
			known[literal.Value] = true
		}
		once.Items = append(once.Items, item)
	}

	return once
}

// literalsOf returns the items of a list in Go if they are literals of one kind alone, else nil.
func literalsOf(list *ir.Tuple, kind ir.SchemaKind) []jen.Code {
	var items []jen.Code
	for _, item := range list.Items {
		literal, isLiteral := item.(*ir.Literal)
		if !isLiteral || kindOfLiteral(literal) != kind {
			return nil
		}
		items = append(items, nativeLiteral(literal))
	}
	if kind == ir.SchemaBoolean || kind == 0 {
		return nil
	}

	return items
}

// few is how many values a field is compared with one after another.
const few = 3

// oneOf returns whether a value is one of some literals.
func (v *view) oneOf(x ir.Expression, item scalarExpr, list *ir.Tuple, literals []jen.Code) term {
	if f := v.fieldOf(x); f.form == formOther || len(literals) > few {
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

	return term{code: joined, prec: orPrecedence}
}

// asksText returns a method that is true or false.
func (v *view) asksText(x *ir.Method) term {
	method, _ := builtin.MethodByName(x.Name)
	if text, part := v.scalar(x.X), v.scalar(x.Arg); text.kind == ir.SchemaString && part.kind == ir.SchemaString {
		has := jen.Qual("strings", method.Native).Call(text.native().code, part.native().code)
		return where(union(text.needs, part.needs), alone(has))
	}

	return alone(v.dynamic(x.X).Dot(method.Go).Call(v.dynamic(x.Arg)))
}

// compare returns a comparison that is never unknown as a condition.
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
	subject := ir.AskedForNone(x)
	pointers := v.fieldOf(subject).asked()
	switch {
	case len(pointers) > 0 && x.Op == ir.OpNotEqual:
		return there(pointers)
	case len(pointers) > 0:
		return missing(pointers)
	}

	return negatedIf(x.Op == ir.OpNotEqual, alone(v.dynamic(subject).Dot("IsNone").Call()))
}

// nativeCompare compares two values of one Go type that are there.
func (v *view) nativeCompare(x *ir.Compare) (term, bool) {
	a, b := v.scalar(x.X), v.scalar(x.Y)
	equality := x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	switch {
	case !a.isThere() || !b.isThere(), isLiteral(x.X) && isLiteral(x.Y), !equality && a.kind == ir.SchemaBoolean:
		return term{}, false
	case a.kind == ir.SchemaNumber && b.kind == ir.SchemaInteger && isLiteral(x.Y), a.kind == ir.SchemaInteger && b.kind == ir.SchemaNumber && isLiteral(x.X):
	case a.kind != b.kind:
		return term{}, false
	}
	least := comparePrecedence + 1

	return comparison(a.beside(x.Y).in(least).Op(string(x.Op)).Add(b.beside(x.X).in(least))), true
}

// isThere reports whether an expression is a scalar of Go that is not none.
func (s scalarExpr) isThere() bool { return s.kind != 0 && len(s.needs) == 0 }

// beside returns an operand of a comparison. One whose type has a name is written as it is where
// the other one is a literal, which takes that type.
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
