package walk

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// given is what is known of what a guard is asked about.
type given struct {
	// key is the text of the rows that have the key. It is not known where no row has it, because one key stands for all others
	// there.
	key   string
	known bool
	// visits says how often a state was entered; nil where nobody knows.
	visits func(state string) int
}

// verdict says whether a guard holds, as far as what is given tells. A named guard is the user's: nobody knows.
func verdict(guard *ir.Guard, key given) (holds, known bool) {
	if guard.Formula == nil {
		return false, false
	}

	return truth(guard.Formula.Root, key)
}

// truth evaluates an expression of which nothing but that is known.
func truth(x ir.Expression, key given) (holds, known bool) {
	switch x := x.(type) {
	case *ir.Not:
		holds, known = truth(x.X, key)
		return !holds, known
	case *ir.Logic:
		return logic(x, key)
	case *ir.Compare:
		return compare(x, key)
	case *ir.Contains:
		return contains(x, key)
	case *ir.Method:
		of, known := text(x.X, key)
		arg, knownArg := "", false
		if x.Arg != nil {
			arg, knownArg = text(x.Arg, key)
		}
		if x.Name == "startswith" {
			return strings.HasPrefix(of, arg), known && knownArg
		}
		return strings.HasSuffix(of, arg), known && knownArg && x.Name == "endswith"
	case *ir.Literal:
		holds, known = x.Value.(bool)
	}

	return holds, known
}

// compare is known of two texts, or of two numbers.
func compare(x *ir.Compare, key given) (holds, known bool) {
	a, known := text(x.X, key)
	b, knownB := text(x.Y, key)
	if known && knownB {
		return (a == b) == (x.Op == ir.OpEqual), x.Op == ir.OpEqual || x.Op == ir.OpNotEqual
	}
	n, known := number(x.X, key)
	m, knownM := number(x.Y, key)
	if !known || !knownM {
		return false, false
	}
	switch x.Op {
	case ir.OpEqual:
		return n == m, true
	case ir.OpNotEqual:
		return n != m, true
	case ir.OpLess:
		return n < m, true
	case ir.OpLessEqual:
		return n <= m, true
	case ir.OpGreater:
		return n > m, true
	}

	return n >= m, x.Op == ir.OpGreaterEqual
}

// number is the value of an expression that is a whole number: one that is written out, or visits of a state.
func number(x ir.Expression, key given) (value int64, known bool) {
	switch x := x.(type) {
	case *ir.Literal:
		value, known = x.Value.(int64)
	case *ir.Access:
		if x.Root == ir.RootVisits && len(x.Path) == 1 && x.Default == nil && key.visits != nil {
			return int64(key.visits(x.Path[0].Name.Value)), true
		}
	}

	return value, known
}

// logic is decided by one operand that is known, or by all of them.
func logic(x *ir.Logic, key given) (holds, known bool) {
	known = true
	for _, operand := range x.X {
		holds, decided := truth(operand, key)
		if decided && holds == x.Or {
			return holds, true
		}
		known = known && decided
	}

	return !x.Or, known
}

// contains is known of a key among texts.
func contains(x *ir.Contains, key given) (holds, known bool) {
	list, isList := x.Y.(*ir.Tuple)
	of, known := text(x.X, key)
	if !isList || !known {
		return false, false
	}
	items := make([]string, len(list.Items))
	for i, item := range list.Items {
		if items[i], known = text(item, key); !known {
			return false, false
		}
	}

	return slices.Contains(items, of) != x.Not, true
}

// text is the value of an expression that is a text: the key, or one that is written out.
func text(x ir.Expression, key given) (value string, known bool) {
	switch x := x.(type) {
	case *ir.Literal:
		value, known = x.Value.(string)
	case *ir.Access:
		if x.Root == ir.RootKey && len(x.Path) == 0 {
			return key.key, key.known
		}
	}

	return value, known
}
