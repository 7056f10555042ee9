package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// most is the largest length, in runes of the source, of a condition on one line.
const most = 80

// formulaCode returns the condition of an if, with an operand a line if they are many or long.
func (v *view) formulaCode(f *ir.Formula) *jen.Statement {
	if logic, isLogic := f.Root.(*ir.Logic); isLogic {
		return v.logicCode(logic, len(logic.X) > 2 || len(f.Text.Value) > most).code
	}

	return v.conditionCode(f.Root).code
}

// conditionCode returns an expression that is never unknown as a Go condition.
func (v *view) conditionCode(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return primaryTerm(jen.Lit(isTrue(x)))
	case *ir.Tuple:
		return primaryTerm(jen.Lit(len(x.Items) > 0))
	case *ir.Not:
		return negateTerm(v.conditionCode(x.X))
	case *ir.Logic:
		return v.logicCode(x, false)
	case *ir.Compare:
		return v.compareCode(x)
	case *ir.Contains:
		return negateIf(x.Not, v.containsCode(x))
	case *ir.Method:
		if x.Arg != nil {
			return v.textMethodCode(x)
		}
	case *ir.FuncCall:
		if function, _ := builtin.FunctionByName(x.Name); function.Decides != nil {
			return primaryTerm(v.valueCode(x.X).Dot(function.Go).Call().Dot("Holds").Call())
		}
	}

	return v.truthCode(x)
}

// truthCode returns whether a value is true as a condition.
func (v *view) truthCode(x ir.Expression) term {
	switch f := v.fieldOfExpression(x); f.form {
	case formTexts:
		return whereNotNil(f.needs, comparisonTerm(jen.Len(f.fieldCode()).Op(">").Lit(0)))
	case formStruct:
		return allNotNil(f.comparedPointers())
	}
	s := v.scalarOf(x)
	switch s.kind {
	case 0:
		return primaryTerm(v.valueCode(x).Dot("True").Call())
	case ir.SchemaBoolean:
		return whereNotNil(s.needs, s.native())
	case ir.SchemaString:
		return whereNotNil(s.needs, comparisonTerm(s.native().code.Op("!=").Lit("")))
	}

	return whereNotNil(s.needs, comparisonTerm(s.native().code.Op("!=").Lit(0)))
}

// isTrue reports whether a literal is true as a condition.
func isTrue(x *ir.Literal) bool {
	switch x.Value {
	case nil, false, int64(0), float64(0), "":
		return false
	}

	return true
}

// logicCode joins conditions. A condition after an operand of `and` assumes that the operand is
// true, a condition after an operand of `or` that it is false. Conditions that go vet would report,
// because they repeat or contradict each other, are joined by the functions of three values.
func (v *view) logicCode(x *ir.Logic, broken bool) term {
	op, prec := "&&", andPrecedence
	if x.Or {
		op, prec = "||", orPrecedence
	}
	joined := term{code: &jen.Statement{}, prec: prec}
	place := v
	operands := withoutDuplicates(flattenLogic(x))
	for i, operand := range operands {
		if i > 0 {
			joined.code.Op(op)
			if broken {
				joined.code.Line()
			}
		}
		t := place.conditionCode(operand)
		joined.code.Add(t.operand(prec))
		place = place.withAssumption(t, !x.Or)
		if x.Or {
			joined.denies = mergePointers(joined.denies, t.denies)
		} else {
			joined.implies = mergePointers(joined.implies, t.implies)
		}
	}
	if len(operands) == 1 {
		joined.prec = orPrecedence // whatever the operand is
	}
	if isSuspect(joined.code) {
		joined.code, joined.prec = v.joinedTruth(x).Dot("Holds").Call(), primary
	}

	return joined
}

// flattenLogic returns the operands of `a and (b and c)`, or of `a or (b or c)`.
func flattenLogic(x *ir.Logic) []ir.Expression {
	return ir.FlatMap(x.X, func(operand ir.Expression) []ir.Expression {
		if inner, isLogic := operand.(*ir.Logic); isLogic && inner.Or == x.Or {
			return flattenLogic(inner)
		}
		return []ir.Expression{operand}
	})
}

// withoutDuplicates removes conditions with the same code as a previous one, which go vet reports
// as redundant.
func withoutDuplicates(conditions []ir.Expression) []ir.Expression {
	var list []ir.Expression
	for _, c := range conditions {
		if !slices.ContainsFunc(list, func(before ir.Expression) bool { return isSameCondition(before, c) }) {
			list = append(list, c)
		}
	}

	return list
}

// isSameCondition reports whether two conditions are the same constant or the same text.
func isSameCondition(a, b ir.Expression) bool {
	x, isLiteral := a.(*ir.Literal)
	if y, ok := b.(*ir.Literal); ok && isLiteral {
		return isTrue(x) == isTrue(y)
	}
	text := a.At().Text()

	return text != "" && text == b.At().Text()
}

// containsCode returns whether an item is in a container.
func (v *view) containsCode(x *ir.Contains) term {
	item := v.scalarOf(x.X)
	if list, isTuple := x.Y.(*ir.Tuple); isTuple {
		list = withoutRepeatedItems(list)
		if literals := literalItems(list, item.kind); literals != nil {
			return whereNotNil(item.needs, v.equalsAnyCode(x.X, item, list, literals))
		}
		return primaryTerm(v.valueCode(x.X).Dot("OneOf").Call(v.valuesCode(list.Items)...))
	}
	switch f, text := v.fieldOfExpression(x.Y), v.scalarOf(x.Y); {
	case item.kind != ir.SchemaString:
	case f.form == formTexts:
		return whereNotNil(mergePointers(item.needs, f.needs), primaryTerm(jen.Qual("slices", "Contains").Call(f.fieldCode(), item.native().code)))
	case text.kind == ir.SchemaString:
		found := jen.Qual("strings", "Contains").Call(text.native().code, item.native().code)
		return whereNotNil(mergePointers(item.needs, text.needs), primaryTerm(found))
	}

	return primaryTerm(v.valueCode(x.Y).Dot("Contains").Call(v.valueCode(x.X)))
}

// withoutRepeatedItems returns a list with each literal once: go vet rejects a condition with
// repeated operands.
func withoutRepeatedItems(list *ir.Tuple) *ir.Tuple {
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

// literalItems returns the items of a list in Go if they are literals of one kind, else nil.
func literalItems(list *ir.Tuple, kind ir.SchemaKind) []jen.Code {
	var items []jen.Code
	for _, item := range list.Items {
		literal, isLiteral := item.(*ir.Literal)
		if !isLiteral || literalKind(literal) != kind {
			return nil
		}
		items = append(items, nativeLiteralCode(literal))
	}
	if kind == ir.SchemaBoolean || kind == 0 {
		return nil
	}

	return items
}

// few is the largest number of values that a field is compared with one by one.
const few = 3

// equalsAnyCode returns whether a value is one of some literals.
func (v *view) equalsAnyCode(x ir.Expression, item scalarExpr, list *ir.Tuple, literals []jen.Code) term {
	if f := v.fieldOfExpression(x); f.form == formOther || len(literals) > few {
		items := jen.Index().Id(goTypes[item.kind].typ).Values(literals...)
		return primaryTerm(jen.Qual("slices", "Contains").Call(items, item.native().code))
	}
	joined := &jen.Statement{}
	for i, literal := range literals {
		if i > 0 {
			joined.Op("||")
		}
		joined.Add(item.operandFor(list.Items[i]).operand(comparePrecedence + 1)).Op("==").Add(literal)
	}

	return term{code: joined, prec: orPrecedence}
}

// textMethodCode returns the call of a boolean method of texts.
func (v *view) textMethodCode(x *ir.Method) term {
	method, _ := builtin.MethodByName(x.Name)
	if text, part := v.scalarOf(x.X), v.scalarOf(x.Arg); text.kind == ir.SchemaString && part.kind == ir.SchemaString {
		has := jen.Qual("strings", method.Native).Call(text.native().code, part.native().code)
		return whereNotNil(mergePointers(text.needs, part.needs), primaryTerm(has))
	}

	return primaryTerm(v.valueCode(x.X).Dot(method.Go).Call(v.valueCode(x.Arg)))
}

// compareCode returns a comparison that is never unknown as a condition.
func (v *view) compareCode(x *ir.Compare) term {
	if ir.IsNoneTest(x) {
		return v.compareNoneCode(x)
	}
	if t, ok := v.nativeCompareCode(x); ok {
		return t
	}
	comparison := builtin.ComparisonOf(x.Op)

	return negateIf(comparison.Negated, primaryTerm(v.valueCode(x.X).Dot(comparison.HoldsGo).Call(v.valueCode(x.Y))))
}

// compareNoneCode returns whether there is a value.
func (v *view) compareNoneCode(x *ir.Compare) term {
	subject := ir.ComparedWithNone(x)
	pointers := v.fieldOfExpression(subject).comparedPointers()
	switch {
	case len(pointers) > 0 && x.Op == ir.OpNotEqual:
		return allNotNil(pointers)
	case len(pointers) > 0:
		return anyNil(pointers)
	}

	return negateIf(x.Op == ir.OpNotEqual, primaryTerm(v.valueCode(subject).Dot("IsNone").Call()))
}

// nativeCompareCode compares two existing values of one Go type.
func (v *view) nativeCompareCode(x *ir.Compare) (term, bool) {
	a, b := v.scalarOf(x.X), v.scalarOf(x.Y)
	if !a.isAlwaysThere() || !b.isAlwaysThere() {
		return term{}, false
	}
	if isLiteral(x.X) && isLiteral(x.Y) {
		return term{}, false
	}
	if a.kind == ir.SchemaBoolean && isOrder(x.Op) {
		return term{}, false
	}
	isSameType := a.kind == b.kind || isWholeNumber(b, x.Y, a.kind) || isWholeNumber(a, x.X, b.kind)
	if !isSameType {
		return term{}, false
	}
	least := comparePrecedence + 1

	return comparisonTerm(a.operandFor(x.Y).operand(least).Op(string(x.Op)).Add(b.operandFor(x.X).operand(least))), true
}

// isOrder reports whether an operator asks which of two values is larger.
func isOrder(op ir.CompareOp) bool { return op != ir.OpEqual && op != ir.OpNotEqual }

// isWholeNumber reports whether a scalar is an integer in the source that Go takes as a number of
// the other kind.
func isWholeNumber(s scalarExpr, source ir.Expression, other ir.SchemaKind) bool {
	return s.kind == ir.SchemaInteger && other == ir.SchemaNumber && isLiteral(source)
}

// isAlwaysThere reports whether an expression is a Go scalar that always exists.
func (s scalarExpr) isAlwaysThere() bool { return s.kind != 0 && len(s.needs) == 0 }

// operandFor returns an operand of a comparison. If its type has a name and the other operand is a
// literal, it needs no conversion.
func (s scalarExpr) operandFor(other ir.Expression) term {
	if s.named != nil && isLiteral(other) {
		return s.named()
	}

	return s.native()
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}
