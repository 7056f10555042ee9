package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
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

// logic joins conditions. One behind others is reached only where those of `a and b` hold, and those of `a or b` do not.
func (s *scope) logic(x *ir.Logic) term {
	op := "&&"
	if x.Or {
		op = "||"
	}
	joined := s.condition(x.X[0])
	place := s.behind(joined, !x.Or)
	for _, operand := range x.X[1:] {
		t := place.condition(operand)
		place = place.behind(t, !x.Or)
		both := operation(joined, op, t)
		if x.Or {
			both.denies = merged(joined.denies, t.denies)
		} else {
			both.implies = merged(joined.implies, t.implies)
		}
		joined = both
	}

	return joined
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
		if literals := literalsOf(list, item.kind); len(literals) > 0 {
			return oneOf(x.X, item, list, literals).where(item.needs)
		}
		text := "workflow.OneOf(" + item.value()
		for _, other := range list.Items {
			text += ", " + s.term(other).value()
		}
		return boolean(text + ")")
	}
	container := s.term(x.Y)
	switch {
	case item.isText() && container.field.form == textsField:
		return boolean("slices.Contains(" + container.field.path + ", " + item.text + ")").
			where(merged(item.needs, container.field.needs))
	case item.isText() && container.isText():
		return boolean("strings.Contains(" + container.text + ", " + item.text + ")").where(merged(item.needs, container.needs))
	}

	return boolean("workflow.Contains(" + container.value() + ", " + item.value() + ")")
}

// elements are the Go types of items.
var elements = map[ir.SchemaKind]string{ir.SchemaString: "string", ir.SchemaInteger: "int64", ir.SchemaNumber: "float64"}

// literalsOf are the items of a list that has literals of one kind alone; none for any other.
func literalsOf(list *ir.Tuple, kind ir.SchemaKind) []string {
	var items []string
	for _, item := range list.Items {
		if literal, isLiteral := item.(*ir.Literal); isLiteral && literalTerm(literal).kind == kind {
			items = append(items, literalTerm(literal).text)
		}
	}
	if elements[kind] == "" || len(items) < len(list.Items) {
		return nil
	}

	return items
}

// oneOf is whether an item is one of some literals: a field is compared with each of a few.
func oneOf(x ir.Expression, item term, list *ir.Tuple, literals []string) term {
	if item.field.form == otherField || len(literals) > 3 {
		return boolean("slices.Contains([]" + elements[item.kind] + "{" + strings.Join(literals, ", ") + "}, " + item.text + ")")
	}
	var joined term
	for i, literal := range literals {
		same := operation(bare(x, list.Items[i], item), "==", dynamic(literal))
		if joined = operation(joined, "||", same); i == 0 {
			joined = same
		}
	}

	return joined
}
