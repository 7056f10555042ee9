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
	if comparable(x, a, b) {
		return byOperator(x, a, b)
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
	if pointers := missing(t); len(pointers) > 0 {
		return gone(pointers)
	}

	return boolean(t.value() + ".IsNone()")
}

func isSome(t term) term {
	if pointers := missing(t); len(pointers) > 0 {
		return there(pointers)
	}

	return isNone(t).not()
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
func byOperator(x *ir.Compare, a, b term) term {
	compared := operation(bare(x.X, x.Y, a), string(x.Op), bare(x.Y, x.X, b))
	if x.Op == ir.OpNotEqual {
		return compared.orMissing(merged(a.needs, b.needs))
	}

	return compared.where(merged(a.needs, b.needs))
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
