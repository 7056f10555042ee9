package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// The values of expressions at compile time are nil, bool, int64, float64, string, []any and map[string]any.

// values tells what an expression is taken to be; ok is false for one that is to be computed from its operands.
type values func(x ir.Expression) (value any, ok bool)

// evaluate computes an expression as the generated Go does.
func evaluate(x ir.Expression, known values) any {
	if value, ok := known(x); ok {
		return value
	}
	switch x := x.(type) {
	case *ir.Literal:
		return x.Value
	case *ir.Tuple:
		items := make([]any, len(x.Items))
		for i, item := range x.Items {
			items[i] = evaluate(item, known)
		}
		return items
	case *ir.Not:
		return !truth(evaluate(x.X, known))
	case *ir.Logic:
		return logic(x, known)
	case *ir.Compare:
		return compare(x.Op, evaluate(x.X, known), evaluate(x.Y, known))
	case *ir.Contains:
		return contains(evaluate(x.Y, known), evaluate(x.X, known)) != x.Not
	case *ir.Method:
		var arg any
		if x.Arg != nil {
			arg = evaluate(x.Arg, known)
		}
		return method(x.Name, evaluate(x.X, known), arg)
	}

	return nil
}

// logic is true or false, and never one of the operands.
func logic(x *ir.Logic, known values) bool {
	for _, operand := range x.X {
		if truth(evaluate(operand, known)) == x.Or {
			return x.Or
		}
	}

	return !x.Or
}

// truth reports whether a value holds: none, false, 0, and an empty text, list or object do not.
func truth(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case bool:
		return value
	case int64:
		return value != 0
	case float64:
		return value != 0
	case string:
		return value != ""
	case []any:
		return len(value) > 0
	case map[string]any:
		return len(value) > 0
	}

	return true
}

// contains reports whether item is in container: a text in a text, an item in a list, a name in an object.
func contains(container, item any) bool {
	switch container := container.(type) {
	case string:
		text, ok := item.(string)
		return ok && strings.Contains(container, text)
	case map[string]any:
		name, ok := item.(string)
		_, has := container[name]
		return ok && has
	case []any:
		for _, x := range container {
			if equal(x, item) {
				return true
			}
		}
	}

	return false
}

// method calls a method of a text. Of anything else lower, upper and strip give none, and the others do not hold.
func method(name string, value, arg any) any {
	text, ok := value.(string)
	part, isText := arg.(string)
	switch {
	case name == "startswith":
		return ok && isText && strings.HasPrefix(text, part)
	case name == "endswith":
		return ok && isText && strings.HasSuffix(text, part)
	case !ok:
		return nil
	case name == "lower":
		return strings.ToLower(text)
	case name == "upper":
		return strings.ToUpper(text)
	}

	return strings.TrimSpace(text)
}
