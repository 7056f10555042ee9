package workflow

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/rt"
)

// Truth is the value of an expression over data of others, in the three-valued logic of Kleene: Unknown if a member
// is missing, null, or of another kind than the expression needs. An unknown value allows no transition, and neither
// does its negation.
type Truth uint8

// The values of [Truth], in the order in which `and` takes the least and `or` the greatest.
const (
	False Truth = iota
	Unknown
	True
)

// String returns the value as error messages write it.
func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// Known returns the truth of a condition that is never unknown.
func Known(holds bool) Truth {
	if holds {
		return True
	}

	return False
}

// Not is `not x`.
func Not(x Truth) Truth { return True - x }

// All is `x and y`.
func All(x ...Truth) Truth {
	least := True
	for _, t := range x {
		least = min(least, t)
	}

	return least
}

// Any is `x or y`.
func Any(x ...Truth) Truth {
	greatest := False
	for _, t := range x {
		greatest = max(greatest, t)
	}

	return greatest
}

// IsTrue is a single member as a condition: true or false, and for a list or an object whether it is not empty. It is
// unknown for a text and a number, because their author did not mean "false" and "0" to hold.
func IsTrue(v Value) Truth {
	switch v.Kind() {
	case KindBool, KindList, KindObject:
		return Known(v.True())
	}

	return Unknown
}

// IsFilled is a member whose schema defines its type as a condition: it holds as elsewhere, and is unknown if it is
// missing.
func IsFilled(v Value) Truth {
	if v.IsNone() {
		return Unknown
	}

	return Known(v.True())
}

// Is is `x == y` between two values of one kind; no text counts as a number.
func Is(x, y Value) Truth {
	if x.IsNone() || x.Kind() != y.Kind() {
		return Unknown
	}

	return Known(same(x, y))
}

// IsLess is `x < y` between two numbers, or two texts by their characters.
func IsLess(x, y Value) Truth { return ordered(x, y, func(order int) bool { return order < 0 }) }

// IsAtMost is `x <= y`, as [IsLess] is.
func IsAtMost(x, y Value) Truth { return ordered(x, y, func(order int) bool { return order <= 0 }) }

// IsGreater is `x > y`, as [IsLess] is.
func IsGreater(x, y Value) Truth { return IsLess(y, x) }

// IsAtLeast is `x >= y`, as [IsLess] is.
func IsAtLeast(x, y Value) Truth { return IsAtMost(y, x) }

func ordered(x, y Value, holds func(order int) bool) Truth {
	if x.Kind() != y.Kind() {
		return Unknown
	}
	order, ok := compare(x, y)
	if !ok {
		return Unknown
	}

	return Known(holds(order))
}

// IsIn is `item in container`: a text in a text, a name in an object, or an item that [Is] one of a list. An item
// that is missing is in a list that has none in it.
func IsIn(container, item Value) Truth {
	switch kind := container.Kind(); {
	case kind == KindList:
		return isOneOf(container, item)
	case item.Kind() != KindText:
	case kind == KindText:
		return Known(strings.Contains(container.text, item.text))
	case kind == KindObject:
		return Known(container.Has(item.text))
	}

	return Unknown
}

func isOneOf(list, item Value) Truth {
	found := False
	if item.IsNone() {
		found = Unknown
	}
	for _, x := range list.Items() {
		if x.IsNone() {
			found = max(found, Known(item.IsNone()))
		} else {
			found = max(found, Is(x, item))
		}
	}

	return found
}

// HasStart is x.startswith(y), between two texts.
func HasStart(x, y Value) Truth { return ofTexts(x, y, strings.HasPrefix) }

// HasEnd is x.endswith(y), between two texts.
func HasEnd(x, y Value) Truth { return ofTexts(x, y, strings.HasSuffix) }

func ofTexts(x, y Value, holds func(x, y string) bool) Truth {
	if !x.isText() || !y.isText() {
		return Unknown
	}

	return Known(holds(x.text, y.text))
}

// Holds evaluates an expression in the guard of a transition, and reports whether it allows the transition. If not,
// the judge has the values that the expression read.
func Holds(j *rt.Judge, guard string, holds bool, reads ...Operand) bool {
	return Decides(j, guard, Known(holds), reads...)
}

// Decides is [Holds] for an expression over data: an unknown one does not allow the transition.
func Decides(j *rt.Judge, guard string, truth Truth, reads ...Operand) bool {
	return j.Holds(guard, truth == True, func() string { return reason(truth, reads) })
}
