package verify

import (
	"slices"

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
	// needs are the pointers without which there is no value, implies those that are not nil where a condition holds, denies
	// those that are not where it does not hold.
	needs, implies, denies []string
	// field is the one of a Go struct that the value is read from, if it is one.
	field goField
	// whole is the value as a workflow.Value where a scalar may be missing.
	whole string
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

func (t term) not() term {
	return term{text: "!" + t.operand("!"), kind: ir.SchemaBoolean, implies: t.denies, denies: t.implies}
}

// where is a condition that asks first whether pointers are nil.
func (t term) where(pointers []string) term {
	asked := t
	for i := len(pointers) - 1; i >= 0; i-- {
		asked = operation(notNil(pointers[i]), "&&", asked)
	}
	asked.needs, asked.implies = nil, merged(pointers, t.implies)

	return asked
}

// orMissing is a condition that holds where a pointer is nil too, which is asked first.
func (t term) orMissing(pointers []string) term {
	asked := t
	for i := len(pointers) - 1; i >= 0; i-- {
		asked = operation(isNil(pointers[i]), "||", asked)
	}
	asked.denies = merged(pointers, t.denies)

	return asked
}

// there is the condition that pointers are not nil.
func there(pointers []string) term {
	last := len(pointers) - 1

	return notNil(pointers[last]).where(pointers[:last])
}

func notNil(pointer string) term {
	return term{text: pointer + " != nil", kind: ir.SchemaBoolean, operator: "!=", implies: []string{pointer}}
}

// gone is the condition that one of some pointers is nil.
func gone(pointers []string) term {
	last := len(pointers) - 1

	return isNil(pointers[last]).orMissing(pointers[:last])
}

func isNil(pointer string) term {
	return term{text: pointer + " == nil", kind: ir.SchemaBoolean, operator: "==", denies: []string{pointer}}
}

// merged are pointers of two lists, each once.
func merged(a, b []string) []string {
	all := append([]string(nil), a...)
	for _, pointer := range b {
		if !slices.Contains(all, pointer) {
			all = append(all, pointer)
		}
	}

	return all
}

func (t term) isText() bool { return t.kind == ir.SchemaString }

// makers make a workflow.Value of a scalar.
var makers = map[ir.SchemaKind]string{
	ir.SchemaBoolean: "Bool", ir.SchemaString: "Text", ir.SchemaInteger: "Int", ir.SchemaNumber: "Number",
}

// value is the term as a workflow.Value.
func (t term) value() string {
	switch {
	case t.kind == 0:
		return t.text
	case len(t.needs) > 0:
		return t.whole
	}

	return "workflow." + makers[t.kind] + "(" + t.text + ")"
}

// holds is the term as a condition.
func (t term) holds() term {
	switch {
	case t.field.form == textsField:
		return operation(dynamic("len("+t.field.path+")"), ">", dynamic("0")).where(t.field.needs)
	case t.field.form == structField:
		return there(t.field.pointers())
	case t.kind == 0:
		return boolean(t.text + ".True()")
	case t.kind == ir.SchemaBoolean:
		return t.where(t.needs)
	case t.isText():
		return operation(t, "!=", dynamic(`""`)).where(t.needs)
	}

	return operation(t, "!=", dynamic("0")).where(t.needs)
}
