package workflow

import (
	"cmp"
	"math"
	"strings"
)

// Equal reports whether x == y in an expression. A text counts as a number if the other side is a
// number and the text reads as one, but not inside of lists and objects. Objects are equal whatever
// the order of their members.
func (x Value) Equal(y Value) bool {
	if x.shape == y.shape && x.shape == &textShape {
		return x.text == y.text
	}

	return isEqual(x, y)
}

func isEqual(x, y Value) bool {
	x, y = convertAlike(x, y)

	return isSame(x, y)
}

// Less reports whether x < y in an expression: between two numbers, a number and a text that reads
// as one, or two texts, by their characters. Anything else is not ordered.
func (x Value) Less(y Value) bool {
	order, ok := compareValues(x, y)

	return ok && order < 0
}

// LessEqual reports whether x <= y in an expression, as [Value.Less] does.
func (x Value) LessEqual(y Value) bool {
	order, ok := compareValues(x, y)

	return ok && order <= 0
}

// Contains reports whether item is in container: text in a text, an item that is [Value.Equal] in a
// list, a name in an object.
func (container Value) Contains(item Value) bool {
	if container.Kind() == kindList {
		return item.OneOf(container.shape.items...)
	}

	return item.IsIn(container) == certain
}

// convertAlike turns a text into the number it reads as if the other side is a number.
func convertAlike(x, y Value) (Value, Value) {
	switch {
	case x.IsText() && y.Kind() == kindNumber:
		x = x.numberOrText()
	case y.IsText() && x.Kind() == kindNumber:
		y = y.numberOrText()
	}

	return x, y
}

func compareValues(x, y Value) (order int, ok bool) {
	if x.Kind() != y.Kind() {
		x, y = convertAlike(x, y)
	}
	switch kind := x.Kind(); {
	case kind != y.Kind():
		return 0, false
	case kind == kindNumber:
		return compareNumbers(x, y), true
	case kind == kindText:
		return strings.Compare(x.text, y.text), true
	}

	return 0, false
}

func compareNumbers(x, y Value) int {
	switch {
	case x.isWhole() && y.isWhole():
		return cmp.Compare(int64(x.bits), int64(y.bits))
	case x.isWhole():
		return compareWholeToFraction(int64(x.bits), math.Float64frombits(y.bits))
	case y.isWhole():
		return -compareWholeToFraction(int64(y.bits), math.Float64frombits(x.bits))
	}

	return cmp.Compare(math.Float64frombits(x.bits), math.Float64frombits(y.bits))
}

// compareWholeToFraction compares n with a number that no int64 equals.
func compareWholeToFraction(n int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f <= -1<<63:
		return 1
	case n <= int64(math.Floor(f)):
		return -1
	}

	return 1
}

// isSame reports whether x and y are the same JSON value.
func isSame(x, y Value) bool {
	switch {
	case x.shape == y.shape:
		return x.bits == y.bits && (x.text == y.text || x.IsNone())
	case x.Kind() != y.Kind() || x.memberCount() != y.memberCount() || x.memberCount() == 0:
		return false
	case x.Kind() == kindObject:
		return haveSameMembers(x, y)
	}
	for i := range x.shape.items {
		if !isSame(x.shape.items[i], y.shape.items[i]) {
			return false
		}
	}

	return true
}

func haveSameMembers(x, y Value) bool {
	for i, name := range x.shape.names {
		// Mostly the members are in the same order.
		at := i
		if y.shape.names[i] != name {
			at = y.findMember(name)
		}
		if at < 0 || !isSame(x.shape.items[i], y.shape.items[at]) {
			return false
		}
	}

	return true
}
