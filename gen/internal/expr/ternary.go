package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ternary is what a condition is: an expression over data of others is unknown where a member is missing or of another kind.
type ternary int8

const (
	fails ternary = iota
	unknown
	holds
)

func ternaryOf(b bool) ternary {
	if b {
		return holds
	}

	return fails
}

// decide computes a condition as the guard of a row does. Leaves tells what a part of it is taken to be; ok is false for one that is
// to be computed.
func decide(x ir.Expression, known values, leaves func(ir.Expression) (t ternary, ok bool)) ternary {
	if t, ok := leaves(x); ok {
		return t
	}
	switch x := x.(type) {
	case *ir.Not:
		return holds - decide(x.X, known, leaves)
	case *ir.Logic:
		t := decide(x.X[0], known, leaves)
		for _, operand := range x.X[1:] {
			if next := decide(operand, known, leaves); x.Or {
				t = max(t, next)
			} else {
				t = min(t, next)
			}
		}
		return t
	}
	if !ir.ReadsData(x) {
		return ternaryOf(truth(evaluate(x, known)))
	}

	return decideLeaf(x, known)
}

// decideLeaf decides what no `and`, `or` or `not` joins, and what reads data.
func decideLeaf(x ir.Expression, known values) ternary {
	switch x := x.(type) {
	case *ir.Tuple:
		return ternaryOf(len(x.Items) > 0)
	case *ir.Compare:
		a, b := evaluate(x.X, known), evaluate(x.Y, known)
		if ir.ComparesNone(x) {
			return ternaryOf(compare(x.Op, a, b))
		}
		return strictly(x.Op, a, b)
	case *ir.Contains:
		in := isIn(evaluate(x.Y, known), evaluate(x.X, known))
		if x.Not {
			return holds - in
		}
		return in
	case *ir.Method:
		if x.Arg != nil {
			return hasPart(x.Name, evaluate(x.X, known), evaluate(x.Arg, known))
		}
	}
	switch value := evaluate(x, known); {
	case value == nil:
		return unknown
	case kindOf(value)&(kindNumber|kindText) != 0 && !ir.Declared(x):
		return unknown
	default:
		return ternaryOf(truth(value))
	}
}

// strictly compares two values of one kind.
func strictly(op ir.CompareOp, a, b any) ternary {
	if a == nil || kindOf(a) != kindOf(b) {
		return unknown
	}
	if _, ordered := order(a, b); !ordered && op != ir.OpEqual && op != ir.OpNotEqual {
		return unknown
	}

	return ternaryOf(compare(op, a, b))
}

func isIn(container, item any) ternary {
	switch container := container.(type) {
	case []any:
		found := fails
		if item == nil {
			found = unknown
		}
		for _, x := range container {
			if x == nil {
				found = max(found, ternaryOf(item == nil))
			} else {
				found = max(found, strictly(ir.OpEqual, x, item))
			}
		}
		return found
	case string, map[string]any:
		if kindOf(item) == kindText {
			return ternaryOf(contains(container, item))
		}
	}

	return unknown
}

func hasPart(method string, value, part any) ternary {
	text, isText := value.(string)
	of, ofText := part.(string)
	switch {
	case !isText || !ofText:
		return unknown
	case method == "startswith":
		return ternaryOf(strings.HasPrefix(text, of))
	}

	return ternaryOf(strings.HasSuffix(text, of))
}
