package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
)

// term is an expression of a workflow in Go.
type term struct {
	text string
	// kind is that of a scalar which Go has as such, because it is certainly there; 0 for a workflow.Value.
	kind ir.SchemaKind
	// operation says that it has to stand in parentheses as an operand.
	operation bool
	// pointer is the field if that is a pointer to a scalar of a kind, texts the field if that is a list of texts. The text is
	// the value then.
	pointer string
	to      ir.SchemaKind
	texts   string
}

// dynamic returns a term that is a workflow.Value.
func dynamic(text string) term { return term{text: text} }

// boolean returns a term that is a condition.
func boolean(text string) term { return term{text: text, kind: ir.SchemaBoolean} }

// operation returns a condition that an operator joins.
func operation(x, op, y string) term {
	return term{text: x + " " + op + " " + y, kind: ir.SchemaBoolean, operation: true}
}

func (t term) operand() string {
	if t.operation {
		return "(" + t.text + ")"
	}

	return t.text
}

func (t term) not() term { return boolean("!" + t.operand()) }

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
	switch t.kind {
	case 0:
		if t.texts != "" {
			return operation("len("+t.texts+")", ">", "0")
		}
		return boolean(t.text + ".True()")
	case ir.SchemaBoolean:
		return t
	case ir.SchemaString:
		return operation(t.text, "!=", `""`)
	}

	return operation(t.text, "!=", "0")
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
