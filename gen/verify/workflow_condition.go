package verify

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// term is an expression in Go.
func (s *scope) term(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return literalTerm(x)
	case *ir.Tuple:
		return dynamic("workflow.List(" + s.valueList(x.Items) + ")")
	case *ir.Access:
		return s.access(x)
	case *ir.Method:
		return s.method(x)
	case *ir.Not:
		return s.condition(x.X).not()
	case *ir.Logic:
		return s.logic(x)
	case *ir.Compare:
		return s.compare(x)
	case *ir.Contains:
		return s.contains(x)
	}

	return dynamic(s.placeholder(x.(*ir.Placeholder)))
}

// valueList are expressions as a list of values.
func (s *scope) valueList(list []ir.Expression) string {
	text := ""
	for i, x := range list {
		if i > 0 {
			text += ", "
		}
		text += s.term(x).value()
	}

	return text
}

// condition is whether an expression holds.
func (s *scope) condition(x ir.Expression) term {
	switch x := x.(type) {
	case *ir.Literal:
		return boolean(strconv.FormatBool(x.Value != nil && x.Value != false && x.Value != int64(0) && x.Value != float64(0) && x.Value != ""))
	case *ir.Tuple:
		return boolean(strconv.FormatBool(len(x.Items) > 0))
	}

	return s.term(x).holds()
}

func (s *scope) logic(x *ir.Logic) term {
	op := "&&"
	if x.Or {
		op = "||"
	}
	joined := s.condition(x.X[0])
	for _, operand := range x.X[1:] {
		joined = operation(joined, op, s.condition(operand))
	}

	return joined
}

func (s *scope) compare(x *ir.Compare) term {
	a := s.term(x.X)
	if none, isLiteral := x.Y.(*ir.Literal); isLiteral && none.Value == nil {
		switch x.Op {
		case ir.OpEqual:
			return boolean(a.value() + ".IsNone()")
		case ir.OpNotEqual:
			return boolean(a.value() + ".IsNone()").not()
		}
	}
	b := s.term(x.Y)
	switch {
	case isPointed(x, a, b):
		is := boolean("workflow.Is(" + a.pointer + ", " + b.text + ")")
		if x.Op == ir.OpNotEqual {
			return is.not()
		}
		return is
	case comparable(x, a, b):
		return operation(s.bare(x.X, x.Y, a), string(x.Op), s.bare(x.Y, x.X, b))
	}

	return byFunction(x.Op, a.value(), b.value())
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

// isPointed reports whether a literal is compared with what a pointer to a scalar of its kind points to.
func isPointed(x *ir.Compare, a, b term) bool {
	return a.pointer != "" && a.pointed == b.kind && isLiteral(x.Y) && (x.Op == ir.OpEqual || x.Op == ir.OpNotEqual)
}

// comparable reports whether an operator of Go compares two terms as the comparison means it.
func comparable(x *ir.Compare, a, b term) bool {
	literalX, literalY := isLiteral(x.X), isLiteral(x.Y)
	switch {
	case a.kind == 0 || b.kind == 0 || literalX && literalY:
		return false
	case a.kind == ir.SchemaBoolean && x.Op != ir.OpEqual && x.Op != ir.OpNotEqual:
		return false
	case a.kind == ir.SchemaNumber && b.kind == ir.SchemaInteger:
		return literalY
	case a.kind == ir.SchemaInteger && b.kind == ir.SchemaNumber:
		return literalX
	}

	return a.kind == b.kind
}

// bare is a term, as the field alone if a literal is compared with it: that takes the field's type.
func (s *scope) bare(x, other ir.Expression, t term) term {
	access, isAccess := x.(*ir.Access)
	if isAccess && isLiteral(other) && access.Type.Schema != nil && names.IsSchemaType(access.Type.Schema) {
		t.text, _ = s.field(access)
	}

	return t
}

func isLiteral(x ir.Expression) bool {
	_, is := x.(*ir.Literal)

	return is
}

func (s *scope) contains(x *ir.Contains) term {
	found := s.found(x)
	if x.Not {
		return found.not()
	}

	return found
}

func (s *scope) found(x *ir.Contains) term {
	item := s.term(x.X)
	if list, isTuple := x.Y.(*ir.Tuple); isTuple {
		text := "workflow.OneOf(" + item.value()
		for _, other := range list.Items {
			text += ", " + s.term(other).value()
		}
		return boolean(text + ")")
	}
	container := s.term(x.Y)
	switch {
	case item.isText() && container.texts != "":
		return boolean("slices.Contains(" + container.texts + ", " + item.text + ")")
	case item.isText() && container.isText():
		return boolean("strings.Contains(" + container.text + ", " + item.text + ")")
	}

	return boolean("workflow.Contains(" + container.value() + ", " + item.value() + ")")
}
