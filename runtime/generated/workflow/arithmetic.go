package workflow

import (
	"math"
	"math/bits"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// failed returns none for an operation without a result. Conditions take it for a missing value,
// and messages say the reason. A template that renders it fails: see [Value.Computed].
func failed(reason string) Value { return Value{text: reason} }

// Problem returns why an operation has no result; "" for any other value.
func (v Value) Problem() string {
	if !v.IsNone() {
		return ""
	}

	return v.text
}

// Plus is `x + y`, between two numbers. It is none if one of them is missing, and without a result
// if one is of another kind, or if the sum of two integers does not fit into 64 bits.
func (x Value) Plus(y Value) Value {
	return compute(x, y, addIntegers, func(x, y float64) float64 { return x + y })
}

// Minus is `x - y`, as [Value.Plus] is.
func (x Value) Minus(y Value) Value {
	return compute(x, y, subtractIntegers, func(x, y float64) float64 { return x - y })
}

// Times is `x * y`, as [Value.Plus] is.
func (x Value) Times(y Value) Value {
	return compute(x, y, multiplyIntegers, func(x, y float64) float64 { return x * y })
}

// DividedBy is `x / y`, the exact quotient and not a rounded one, as [Value.Plus] is. A division by
// 0 has no result.
func (x Value) DividedBy(y Value) Value {
	if isZero(y) && x.IsNumber() {
		return failed("division by zero")
	}

	return compute(x, y, nil, func(x, y float64) float64 { return x / y })
}

// Modulo is `x % y`, the remainder with the sign of y, as [Value.Plus] is. A division by 0 has no
// result.
func (x Value) Modulo(y Value) Value {
	if isZero(y) && x.IsNumber() {
		return failed("division by zero")
	}

	return compute(x, y, moduloIntegers, moduloNumbers)
}

func isZero(v Value) bool { return v.IsNumber() && v.bits == 0 }

// compute applies an operation of numbers: that of integers if both are integers and it is not nil,
// else that of numbers.
func compute(x, y Value, integers func(x, y int64) (n int64, ok bool), numbers func(x, y float64) float64) Value {
	for _, operand := range []Value{x, y} {
		switch {
		case operand.IsNone():
			return operand
		case !operand.IsNumber():
			return failed("an operand is " + operand.describeKind() + ", expected a number")
		}
	}
	if integers != nil && x.isWhole() && y.isWhole() {
		n, ok := integers(int64(x.bits), int64(y.bits))
		if !ok {
			return failed("the result does not fit into 64 bits")
		}

		return Int(n)
	}
	a, _ := x.AsNumber()
	b, _ := y.AsNumber()
	f := numbers(a, b)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return failed("the result is too large")
	}

	return numberValue(f)
}

func addIntegers(x, y int64) (int64, bool) {
	n := x + y

	return n, (n > x) == (y > 0)
}

func subtractIntegers(x, y int64) (int64, bool) {
	n := x - y

	return n, (n < x) == (y > 0)
}

func multiplyIntegers(x, y int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	isNegative := (x < 0) != (y < 0)
	switch {
	case high != 0:
		return 0, false
	case isNegative:
		return -int64(low), low <= 1<<63
	}

	return int64(low), low < 1<<63
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}

	return uint64(n)
}

func moduloIntegers(x, y int64) (int64, bool) {
	n := x % y
	if n != 0 && (n < 0) != (y < 0) {
		n += y
	}

	return n, true
}

func moduloNumbers(x, y float64) float64 {
	f := math.Mod(x, y)
	if f != 0 && (f < 0) != (y < 0) {
		f += y
	}

	return f
}

// Size is len(v): the items of a list, the members of an object, the characters of a text. It is
// none for a missing value, and without a result for a number and a boolean.
func (v Value) Size() Value {
	switch v.Kind() {
	case kindNone:
		return v
	case kindBool, kindNumber:
		return failed(v.describeKind() + " has no length")
	}

	return Int(int64(v.Len()))
}

// AnyTrue is any(v): whether one item of a list holds as a condition. It is unknown for anything
// but a list.
func (v Value) AnyTrue() Truth { return v.holdItems(true) }

// AllTrue is all(v): whether each item of a list holds as a condition. It is unknown for anything
// but a list.
func (v Value) AllTrue() Truth { return v.holdItems(false) }

// holdItems reports whether an item of a list has the truth value that decides, or else the
// opposite.
func (v Value) holdItems(decisive bool) Truth {
	if !v.IsList() {
		return Unknown
	}
	for _, item := range v.shape.items {
		if item.True() == decisive {
			return Known(decisive)
		}
	}

	return Known(!decisive)
}

// Computed returns v where a text or data needs it. It panics if v has no result: [Checked] returns
// the error, which names the expression.
func (v Value) Computed(expression string) Value {
	if problem := v.Problem(); problem != "" {
		panic(computeFailure{&errs.Coded{Code: "ArithmeticError", Text: expression + ": " + problem}})
	}

	return v
}

// computeFailure is the panic of a value without a result, inside of [Checked] alone.
type computeFailure struct{ err error }

// Checked does the work of a step whose input is computed, and returns the error of an expression
// without a result. No effect has begun then.
func Checked(work func() (Value, error)) (value Value, err error) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case computeFailure:
			value, err = Value{}, problem.err
		default:
			panic(problem)
		}
	}()

	return work()
}
