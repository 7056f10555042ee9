package workflow

import "strings"

// Truth is the value of a condition, in the three-valued logic of Kleene: Unknown if a value that
// it compares is missing or null, or, over data of others, of another kind than the condition
// needs. An unknown condition allows no transition, and neither does its negation.
type Truth uint8

// The values of [Truth], in the order in which `and` takes the least and `or` the greatest. Known
// returns the others.
const (
	untrue Truth = iota
	Unknown
	certain
)

// String returns the value as error messages write it.
func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// Known returns the truth of a condition that is never unknown.
func Known(holds bool) Truth {
	if holds {
		return certain
	}

	return untrue
}

// Holds reports whether the condition is true: an unknown one does not hold, and neither does its
// negation.
func (t Truth) Holds() bool { return t == certain }

// Value returns true or false, and none for an unknown condition.
func (t Truth) Value() Value {
	if t == Unknown {
		return Value{}
	}

	return booleanValue(t == certain)
}

// Not is `not x`.
func (t Truth) Not() Truth { return certain - t }

// And is `x and y`.
func (t Truth) And(others ...Truth) Truth {
	for _, other := range others {
		t = min(t, other)
	}

	return t
}

// Or is `x or y`.
func (t Truth) Or(others ...Truth) Truth {
	for _, other := range others {
		t = max(t, other)
	}

	return t
}

// IsTrue is a single member of data of others as a condition: true or false, and for a list or an
// object whether it is not empty. A missing one is false. It is unknown for a text and a number,
// because their author did not mean "false" and "0" to hold.
func (v Value) IsTrue() Truth {
	switch v.Kind() {
	case kindNumber, kindText:
		return Unknown
	}

	return Known(v.True())
}

// Is is `x == y` between two values of one kind; no text counts as a number.
func (x Value) Is(y Value) Truth {
	if x.IsNone() || x.Kind() != y.Kind() {
		return Unknown
	}

	return Known(isSame(x, y))
}

// IsLess is `x < y` between two numbers, or two texts by their characters.
func (x Value) IsLess(y Value) Truth {
	return compareOrdered(x, y, func(order int) bool { return order < 0 })
}

// IsAtMost is `x <= y`, as [Value.IsLess] is.
func (x Value) IsAtMost(y Value) Truth {
	return compareOrdered(x, y, func(order int) bool { return order <= 0 })
}

// IsGreater is `x > y`, as [Value.IsLess] is.
func (x Value) IsGreater(y Value) Truth { return y.IsLess(x) }

// IsAtLeast is `x >= y`, as [Value.IsLess] is.
func (x Value) IsAtLeast(y Value) Truth { return y.IsAtMost(x) }

func compareOrdered(x, y Value, holds func(order int) bool) Truth {
	if x.Kind() != y.Kind() {
		return Unknown
	}
	order, ok := compareValues(x, y)
	if !ok {
		return Unknown
	}

	return Known(holds(order))
}

// IsIn is `item in container`: a text in a text, a name in an object, or an item that [Value.Is]
// one of a list. A missing item is in a list with an item that is none.
func (item Value) IsIn(container Value) Truth {
	switch kind := container.Kind(); {
	case kind == kindList:
		return isOneOf(container, item)
	case item.Kind() != kindText:
	case kind == kindText:
		return Known(strings.Contains(container.text, item.text))
	case kind == kindObject:
		return Known(container.Has(item.text))
	}

	return Unknown
}

func isOneOf(list, item Value) Truth {
	found := untrue
	if item.IsNone() {
		found = Unknown
	}
	for _, x := range list.Items() {
		if x.IsNone() {
			found = max(found, Known(item.IsNone()))
		} else {
			found = max(found, x.Is(item))
		}
	}

	return found
}

// HasStart is x.startswith(y), between two texts.
func (x Value) HasStart(y Value) Truth { return compareTexts(x, y, strings.HasPrefix) }

// HasEnd is x.endswith(y), between two texts.
func (x Value) HasEnd(y Value) Truth { return compareTexts(x, y, strings.HasSuffix) }

func compareTexts(x, y Value, holds func(x, y string) bool) Truth {
	if !x.IsText() || !y.IsText() {
		return Unknown
	}

	return Known(holds(x.text, y.text))
}

// Equals is `x == y` between values of the workflow itself: [Value.Equal], and unknown if one of
// them is none.
func (x Value) Equals(y Value) Truth {
	if x.IsNone() || y.IsNone() {
		return Unknown
	}

	return Known(x.Equal(y))
}

// LessThan is `x < y` between values of the workflow itself: [Value.Less], and unknown if they have
// no order.
func (x Value) LessThan(y Value) Truth {
	x, y = convertAlike(x, y)

	return x.IsLess(y)
}

// AtMost is `x <= y`, as [Value.LessThan] is.
func (x Value) AtMost(y Value) Truth {
	x, y = convertAlike(x, y)

	return x.IsAtMost(y)
}

// GreaterThan is `x > y`, as [Value.LessThan] is.
func (x Value) GreaterThan(y Value) Truth { return y.LessThan(x) }

// AtLeast is `x >= y`, as [Value.LessThan] is.
func (x Value) AtLeast(y Value) Truth { return y.AtMost(x) }

// Includes is `item in container` between values of the workflow itself: [Value.Contains], and
// unknown if one of them is none. A list with an item that is none includes none.
func (container Value) Includes(item Value) Truth {
	switch found := container.Contains(item); {
	case found:
		return certain
	case container.IsNone() || item.IsNone():
		return Unknown
	}

	return untrue
}
