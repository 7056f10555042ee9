package workflow

import "cmp"

// optional is a field of a typed context or output that may be missing.
type optional[T cmp.Ordered] struct{ field *T }

// Maybe returns a field that may be missing, for conditions that compare it: they are unknown if it
// is nil.
func Maybe[T cmp.Ordered](field *T) optional[T] { return optional[T]{field} }

// Equals is `field == value`.
func (o optional[T]) Equals(value T) Truth {
	return o.compareField(func(x T) bool { return x == value })
}

// LessThan is `field < value`.
func (o optional[T]) LessThan(value T) Truth {
	return o.compareField(func(x T) bool { return x < value })
}

// AtMost is `field <= value`.
func (o optional[T]) AtMost(value T) Truth {
	return o.compareField(func(x T) bool { return x <= value })
}

// GreaterThan is `field > value`.
func (o optional[T]) GreaterThan(value T) Truth {
	return o.compareField(func(x T) bool { return x > value })
}

// AtLeast is `field >= value`.
func (o optional[T]) AtLeast(value T) Truth {
	return o.compareField(func(x T) bool { return x >= value })
}

func (o optional[T]) compareField(holds func(T) bool) Truth {
	if o.field == nil {
		return Unknown
	}

	return Known(holds(*o.field))
}
