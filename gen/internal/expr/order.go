package expr

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// compare reports whether x op y.
func compare(op ir.CompareOp, x, y any) bool {
	switch op {
	case ir.OpEqual:
		return equal(x, y)
	case ir.OpNotEqual:
		return !equal(x, y)
	}
	order, ok := order(x, y)
	if !ok {
		return false
	}
	switch op {
	case ir.OpLess:
		return order < 0
	case ir.OpLessEqual:
		return order <= 0
	case ir.OpGreater:
		return order > 0
	}

	return order >= 0
}

// equal reports whether x == y: a text counts as a number if the other is a number and the text reads as one.
func equal(x, y any) bool {
	x, y = alike(x, y)

	return same(x, y)
}

// order compares two numbers, two texts, or a number and a text that reads as one; ok is false for anything else.
func order(x, y any) (order int, ok bool) {
	x, y = alike(x, y)
	switch {
	case kindOf(x) != kindOf(y):
		return 0, false
	case kindOf(x) == kindNumber:
		return compareNumbers(x, y), true
	case kindOf(x) == kindText:
		return strings.Compare(x.(string), y.(string)), true
	}

	return 0, false
}

// alike turns a text into the number that it reads as if the other value is a number.
func alike(x, y any) (any, any) {
	text, isText := x.(string)
	if isText && kindOf(y) == kindNumber {
		if n, ok := readsAs(text); ok {
			return n, y
		}
	}
	text, isText = y.(string)
	if isText && kindOf(x) == kindNumber {
		if n, ok := readsAs(text); ok {
			return x, n
		}
	}

	return x, y
}

// same reports whether two values are the same JSON value.
func same(x, y any) bool {
	if kindOf(x) != kindOf(y) {
		return false
	}
	switch x := x.(type) {
	case int64, float64:
		return compareNumbers(x, y) == 0
	case []any:
		return sameItems(x, y.([]any))
	case map[string]any:
		return sameMembers(x, y.(map[string]any))
	}

	return x == y
}

func sameItems(x, y []any) bool {
	for i := range x {
		if len(x) != len(y) || !same(x[i], y[i]) {
			return false
		}
	}

	return len(x) == len(y)
}

func sameMembers(x, y map[string]any) bool {
	for name := range x {
		other, ok := y[name]
		if len(x) != len(y) || !ok || !same(x[name], other) {
			return false
		}
	}

	return len(x) == len(y)
}

func compareNumbers(x, y any) int {
	a, aIsWhole := x.(int64)
	b, bIsWhole := y.(int64)
	if aIsWhole && bIsWhole {
		return cmp.Compare(a, b)
	}

	return exactly(x).Cmp(exactly(y))
}

// exactly returns a number without loss.
func exactly(x any) *big.Float {
	if n, ok := x.(int64); ok {
		return new(big.Float).SetInt64(n)
	}

	return new(big.Float).SetFloat64(x.(float64))
}

// readsAs returns the number that a text reads as: a decimal one, with white space around it.
func readsAs(text string) (any, bool) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "+-.0123456789eE") != "" || !strings.ContainsAny(text, "0123456789") {
		return nil, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)

	return f, err == nil
}
