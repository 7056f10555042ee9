package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
)

// term is an expression of a workflow in Go.
type term struct {
	// text is the expression as a scalar of Go or as a workflow.Value.
	text string
	// kind is that of a scalar which Go has as such, because it is certainly there; 0 for a workflow.Value.
	kind ir.SchemaKind
	// operator is that of an operation, which stands in parentheses as an operand of another one.
	operator string
	// pointer is the field that the value is read from if that points to a scalar, of the kind pointed, or is nil; texts is that
	// field if it is a list of texts.
	pointer, texts string
	pointed        ir.SchemaKind
}

// dynamic returns a term that is a workflow.Value.
func dynamic(text string) term { return term{text: text} }

// boolean returns a term that is a condition.
func boolean(text string) term { return term{text: text, kind: ir.SchemaBoolean} }

// operation returns a condition that an operator joins.
func operation(x term, operator string, y term) term {
	return term{
		text: x.operand(operator) + " " + operator + " " + y.operand(operator), kind: ir.SchemaBoolean, operator: operator,
	}
}

// operand is the term as an operand. What && or || joins may be joined in any order.
func (t term) operand(of string) string {
	if t.operator == "" || t.operator == of && (of == "&&" || of == "||") {
		return t.text
	}

	return "(" + t.text + ")"
}

func (t term) not() term { return boolean("!" + t.operand("!")) }

func (t term) isText() bool { return t.kind == ir.SchemaString }

// makers make a workflow.Value of a scalar.
var makers = map[ir.SchemaKind]string{
	ir.SchemaBoolean: "Bool", ir.SchemaString: "Text", ir.SchemaInteger: "Int", ir.SchemaNumber: "Number",
}

// value is the term as a workflow.Value.
func (t term) value() string {
	if t.kind == 0 {
		return t.text
	}

	return "workflow." + makers[t.kind] + "(" + t.text + ")"
}

// holds is the term as a condition.
func (t term) holds() term {
	switch {
	case t.texts != "":
		return operation(dynamic("len("+t.texts+")"), ">", dynamic("0"))
	case t.kind == 0:
		return boolean(t.text + ".True()")
	case t.kind == ir.SchemaBoolean:
		return t
	case t.isText():
		return operation(t, "!=", dynamic(`""`))
	}

	return operation(t, "!=", dynamic("0"))
}

// rendered is the term as a template renders it.
func (t term) rendered(isLiteral bool) string {
	switch {
	case t.isText():
		return t.text
	case t.kind == ir.SchemaInteger && !isLiteral:
		return "strconv.FormatInt(" + t.text + ", 10)"
	}

	return t.value() + ".String()"
}
