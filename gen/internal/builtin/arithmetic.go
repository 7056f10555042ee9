package builtin

import (
	"math"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Operator is an operator of numbers.
type Operator struct {
	Op ir.ArithmeticOp
	// Apply computes the result.
	Apply func(x, y workflow.Value) workflow.Value
	// Go is the name of this method of [workflow.Value].
	Go string
	// bounds returns the bounds of the results for operands within bounds.
	bounds func(x, y Interval) Interval
}

// Operators are all operators of numbers, in the order of the documentation.
var Operators = []Operator{
	{ir.OpPlus, workflow.Value.Plus, "Plus", func(x, y Interval) Interval { return Interval{x.Low + y.Low, x.High + y.High} }},
	{ir.OpMinus, workflow.Value.Minus, "Minus", func(x, y Interval) Interval { return Interval{x.Low - y.High, x.High - y.Low} }},
	{ir.OpTimes, workflow.Value.Times, "Times", boundsOfProduct},
	{ir.OpDivide, workflow.Value.DividedBy, "DividedBy", boundsOfQuotient},
	{ir.OpModulo, workflow.Value.Modulo, "Modulo", boundsOfRemainder},
}

// OperatorOf returns the descriptor of an operator.
func OperatorOf(op ir.ArithmeticOp) Operator {
	return ir.First(Operators, func(o Operator) bool { return o.Op == op })
}

// Function is a function of expressions.
type Function struct {
	Name string
	// Takes are the kinds of the argument.
	Takes Kind
	// Value computes the result; nil for a condition. Decides decides a condition; nil for a value.
	Value   func(x workflow.Value) workflow.Value
	Decides func(x workflow.Value) workflow.Truth
	// Go is the name of this method of [workflow.Value].
	Go string
}

// Functions are all functions, in the order of the documentation.
var Functions = []Function{
	{Name: ir.FuncLen, Takes: List | Text | Object, Value: workflow.Value.Size, Go: "Size"},
	{Name: ir.FuncAny, Takes: List, Decides: workflow.Value.AnyTrue, Go: "AnyTrue"},
	{Name: ir.FuncAll, Takes: List, Decides: workflow.Value.AllTrue, Go: "AllTrue"},
}

// FunctionByName returns a function; ok is false if there is none.
func FunctionByName(name string) (f Function, ok bool) {
	f = ir.First(Functions, func(f Function) bool { return f.Name == name })

	return f, f.Name != ""
}

// Interval bounds a number.
type Interval struct{ Low, High float64 }

var unbounded = Interval{math.Inf(-1), math.Inf(1)}

// The limits of numbers. Below exactLimit float64 is exact, and what is below safeLimit fits into 64
// bits although its bound may be rounded.
const (
	exactLimit = 1 << 53
	safeLimit  = 1 << 62
)

// IsExact reports whether integers within the bounds are exact.
func (i Interval) IsExact() bool { return i.Low >= -exactLimit && i.High <= exactLimit }

func (i Interval) isSafe() bool { return i.Low >= -safeLimit && i.High <= safeLimit }

func (i Interval) hasZero() bool { return i.Low <= 0 && i.High >= 0 }

// IntervalOf returns the bounds of an expression, if it is a number: those of its schema, or those
// that follow from its operands.
func IntervalOf(x ir.Expression) Interval {
	switch x := x.(type) {
	case *ir.Literal:
		if n, isNumber := workflow.Of(x.Value).AsNumber(); isNumber {
			return Interval{n, n}
		}
	case *ir.Access:
		return intervalOfAccess(x)
	case *ir.FuncCall:
		return Interval{0, exactLimit}
	case *ir.Arithmetic:
		i := OperatorOf(x.Op).bounds(IntervalOf(x.X), IntervalOf(x.Y))
		if !math.IsNaN(i.Low) && !math.IsNaN(i.High) {
			return i
		}
	}

	return unbounded
}

// intervalOfAccess returns the bounds of a name.
func intervalOfAccess(x *ir.Access) Interval {
	switch {
	case x.Default != nil:
		return unbounded
	case x.Root == ir.RootVisits, x.Root == ir.RootTurn, x.Root == ir.RootIndex, x.Root == ir.RootItemIndex:
		return Interval{0, exactLimit} // it counts
	case x.Type.Schema == nil:
		return unbounded
	}
	schema := x.Type.Schema
	next := func(bound, to float64) float64 { return math.Nextafter(bound, to) }
	if schema.Kind == ir.SchemaInteger {
		next = func(bound, to float64) float64 { return bound + math.Copysign(1, to) }
	}
	i := unbounded
	if bound, err := strconv.ParseFloat(schema.Minimum, 64); err == nil {
		i.Low = bound
	}
	if bound, err := strconv.ParseFloat(schema.ExclusiveMinimum, 64); err == nil {
		i.Low = max(i.Low, next(bound, math.Inf(1)))
	}
	if bound, err := strconv.ParseFloat(schema.Maximum, 64); err == nil {
		i.High = bound
	}
	if bound, err := strconv.ParseFloat(schema.ExclusiveMaximum, 64); err == nil {
		i.High = min(i.High, next(bound, math.Inf(-1)))
	}

	return i
}

func boundsOfProduct(x, y Interval) Interval { return boundsOfCorners(x, y, times) }

// times is a product in which infinity is any bound: zero times any bound is zero.
func times(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}

	return x * y
}

func boundsOfQuotient(x, y Interval) Interval {
	if y.hasZero() {
		return unbounded
	}

	return boundsOfCorners(x, y, func(x, y float64) float64 { return x / y })
}

// boundsOfCorners returns the bounds of an operation that is largest and smallest at the ends.
func boundsOfCorners(x, y Interval, of func(x, y float64) float64) Interval {
	corners := [...]float64{of(x.Low, y.Low), of(x.Low, y.High), of(x.High, y.Low), of(x.High, y.High)}
	i := Interval{corners[0], corners[0]}
	for _, corner := range corners {
		i.Low, i.High = min(i.Low, corner), max(i.High, corner)
	}

	return i
}

// boundsOfRemainder returns the bounds of a remainder: it has the sign of the divisor.
func boundsOfRemainder(_, y Interval) Interval { return Interval{min(y.Low, 0), max(y.High, 0)} }

// CanFail reports whether arithmetic on numbers may have no result: its operands can be other
// values than numbers, the divisor can be 0, or the result can be too large. A missing operand is
// no failure.
func CanFail(x ir.Expression) bool {
	switch x := x.(type) {
	case *ir.FuncCall:
		return x.Name == ir.FuncLen && KindsOfExpression(x.X)&(Bool|Number) != 0
	case *ir.Arithmetic:
		hasNumbers := isNumberOrNone(x.X) && isNumberOrNone(x.Y)
		return !hasNumbers || CanFail(x.X) || CanFail(x.Y) || canHaveNoResult(x)
	}

	return false
}

// canHaveNoResult reports whether arithmetic on numbers may divide by 0, or become too large.
func canHaveNoResult(x *ir.Arithmetic) bool {
	divides := x.Op == ir.OpDivide || x.Op == ir.OpModulo
	isByZero := divides && IntervalOf(x.Y).hasZero()

	return isByZero || !IntervalOf(x).isSafe()
}

// AlwaysFails returns why arithmetic never has a result; "" if it may have one. The reason is that
// of [workflow.Value.Plus] and of the other methods.
func AlwaysFails(x *ir.Arithmetic) string {
	divisor, result := IntervalOf(x.Y), IntervalOf(x)
	const limit = 1 << 63
	switch {
	case (x.Op == ir.OpDivide || x.Op == ir.OpModulo) && divisor == Interval{}:
		return "division by zero"
	case x.ValueType().Schema.Kind == ir.SchemaInteger && (result.Low > limit || result.High < -limit):
		return "the result does not fit into 64 bits"
	}

	return ""
}

// IsNumber reports whether a value is always a number.
func IsNumber(x ir.Expression) bool { return KindsOfExpression(x) == Number }

func isNumberOrNone(x ir.Expression) bool { return KindsOfExpression(x)&^(Number|None) == 0 }

// HasFailures reports whether an expression contains arithmetic that can have no result.
func HasFailures(x ir.Expression) bool {
	canFail := false
	ir.WalkExpression(x, func(x ir.Expression) { canFail = canFail || CanFail(x) })

	return canFail
}
