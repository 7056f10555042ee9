package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

func (s *scope) compare(x *ir.Compare) term {
	a := s.term(x.X)
	if none, isLiteral := x.Y.(*ir.Literal); isLiteral && none.Value == nil {
		switch x.Op {
		case ir.OpEqual:
			return isNone(a)
		case ir.OpNotEqual:
			return isSome(a)
		}
	}
	b := s.term(x.Y)
	switch {
	case isPointed(x, a, b):
		return is(x.Op, a, b)
	case comparable(x, a, b):
		return s.byOperator(x, a, b)
	}

	return byFunction(x.Op, a.value(), b.value())
}

// missing are the pointers of which one is nil where there is no value; none if only the value itself tells.
func missing(t term) []string {
	if t.field.form == pointerField || t.field.form == structField || t.field.form == scalarField {
		return t.field.pointers()
	}

	return nil
}

func isNone(t term) term {
	switch pointers := missing(t); len(pointers) {
	case 0:
		return boolean(t.value() + ".IsNone()")
	case 1:
		return term{text: pointers[0] + " == nil", kind: ir.SchemaBoolean, operator: "==", denies: pointers}
	default:
		return there(pointers).not()
	}
}

func isSome(t term) term {
	if pointers := missing(t); len(pointers) > 0 {
		return there(pointers)
	}

	return isNone(t).not()
}

// isPointed reports whether a literal is compared with what a pointer to a scalar of its kind points to.
func isPointed(x *ir.Compare, a, b term) bool {
	return a.field.form == pointerField && a.kind == b.kind && isLiteral(x.Y) && (x.Op == ir.OpEqual || x.Op == ir.OpNotEqual)
}

func is(op ir.CompareOp, a, b term) term {
	same := boolean("workflow.Is(" + a.field.path + ", " + b.text + ")")
	same.implies = []string{a.field.path}
	if same = same.where(a.field.needs); op == ir.OpNotEqual {
		return same.not()
	}

	return same
}

// comparable reports whether an operator of Go compares two terms as the comparison means it. Two that are none are equal,
// which pointers do not tell.
func comparable(x *ir.Compare, a, b term) bool {
	literalX, literalY := isLiteral(x.X), isLiteral(x.Y)
	equality := x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	switch {
	case a.kind == 0 || b.kind == 0 || literalX && literalY:
		return false
	case a.kind == ir.SchemaBoolean && !equality, equality && len(a.needs) > 0 && len(b.needs) > 0:
		return false
	case a.kind == ir.SchemaNumber && b.kind == ir.SchemaInteger:
		return literalY
	case a.kind == ir.SchemaInteger && b.kind == ir.SchemaNumber:
		return literalX
	}

	return a.kind == b.kind
}

// byOperator compares two terms by an operator of Go. What may be none is unequal to a value.
func (s *scope) byOperator(x *ir.Compare, a, b term) term {
	needs, op := merged(a.needs, b.needs), x.Op
	unequal := op == ir.OpNotEqual && len(needs) > 0
	if unequal {
		op = ir.OpEqual
	}
	compared := operation(bare(x.X, x.Y, a), string(op), bare(x.Y, x.X, b)).where(needs)
	if unequal {
		return compared.not()
	}

	return compared
}

// bare is a term, as the field alone if a literal is compared with it: that takes the field's type.
func bare(x, other ir.Expression, t term) term {
	access, isAccess := x.(*ir.Access)
	if !isAccess || !isLiteral(other) || t.field.form == otherField || !names.IsSchemaType(access.Type.Schema) {
		return t
	}
	if t.text = t.field.path; t.field.form == pointerField {
		t.text = "*" + t.text
	}

	return t
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}

// byFunction compares two values by a function of package workflow.
func byFunction(op ir.CompareOp, a, b string) term {
	switch op {
	case ir.OpEqual:
		return boolean("workflow.Equal(" + a + ", " + b + ")")
	case ir.OpNotEqual:
		return boolean("!workflow.Equal(" + a + ", " + b + ")")
	case ir.OpLess:
		return boolean("workflow.Less(" + a + ", " + b + ")")
	case ir.OpLessEqual:
		return boolean("workflow.LessEqual(" + a + ", " + b + ")")
	case ir.OpGreater:
		return boolean("workflow.Greater(" + a + ", " + b + ")")
	}

	return boolean("workflow.GreaterEqual(" + a + ", " + b + ")")
}
