package workflow

import (
	"cmp"
	"math"
	"strings"
)

// Equal reports whether x == y in an expression. A text counts as a number if the other side is a number and the text reads as
// one, but not inside of lists and objects. Objects are equal whatever the order of their members.
func Equal(x, y Value) bool {
	if x.kind != y.kind {
		x, y = alike(x, y)
	}

	return same(x, y)
}

// Less reports whether x < y in an expression: between two numbers, a number and a text that reads as one, or two texts, by
// their characters. Anything else is not ordered.
func Less(x, y Value) bool {
	order, ok := compare(x, y)

	return ok && order < 0
}

// LessEqual reports whether x <= y in an expression, as [Less] does.
func LessEqual(x, y Value) bool {
	order, ok := compare(x, y)

	return ok && order <= 0
}

// Contains reports whether item is in container: text in a text, an item that is [Equal] in a list, a name in an object.
func Contains(container, item Value) bool {
	switch container.kind {
	case KindText:
		return item.kind == KindText && strings.Contains(container.text, item.text)
	case KindObject:
		return item.kind == KindText && container.Has(item.text)
	case KindList:
		for _, x := range container.Items() {
			if Equal(x, item) {
				return true
			}
		}
	}

	return false
}

// alike turns a text into the number it reads as if the other side is a number.
func alike(x, y Value) (Value, Value) {
	if x.kind == KindText && y.kind == KindNumber {
		if n, ok := readsAs(x.text); ok {
			x = n
		}
	} else if x.kind == KindNumber && y.kind == KindText {
		if n, ok := readsAs(y.text); ok {
			y = n
		}
	}

	return x, y
}

func compare(x, y Value) (order int, ok bool) {
	if x.kind != y.kind {
		x, y = alike(x, y)
	}
	switch {
	case x.kind != y.kind:
		return 0, false
	case x.kind == KindText:
		return strings.Compare(x.text, y.text), true
	case x.kind == KindNumber:
		return compareNumbers(x, y), true
	}

	return 0, false
}

func compareNumbers(x, y Value) int {
	switch {
	case x.whole && y.whole:
		return cmp.Compare(int64(x.bits), int64(y.bits))
	case x.whole:
		return compareWhole(int64(x.bits), math.Float64frombits(y.bits))
	case y.whole:
		return -compareWhole(int64(y.bits), math.Float64frombits(x.bits))
	}

	return cmp.Compare(math.Float64frombits(x.bits), math.Float64frombits(y.bits))
}

// compareWhole compares n with a number that no int64 equals.
func compareWhole(n int64, f float64) int {
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

// same reports whether x and y are the same JSON value.
func same(x, y Value) bool {
	switch {
	case x.kind != y.kind || x.whole != y.whole || x.bits != y.bits || x.text != y.text || x.size() != y.size():
		return false
	case x.many == y.many:
		return true
	case x.kind == KindObject:
		return sameMembers(x, y)
	}
	for i := range x.many.items {
		if !same(x.many.items[i], y.many.items[i]) {
			return false
		}
	}

	return true
}

func sameMembers(x, y Value) bool {
	for i, name := range x.many.names {
		// Mostly the members stand in the same order.
		at := i
		if y.many.names[i] != name {
			at = y.find(name)
		}
		if at < 0 || !same(x.many.items[i], y.many.items[at]) {
			return false
		}
	}

	return true
}
