package builtin

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// KindsOfExpression returns the kinds of the values of an expression. A condition that is unknown is
// None.
func KindsOfExpression(x ir.Expression) Kind {
	switch x := x.(type) {
	case nil:
		return Any
	case *ir.Literal:
		return KindOf(workflow.Of(x.Value))
	case *ir.Access:
		return kindsOfAccess(x)
	case *ir.Method:
		if x.Arg == nil {
			return kindsOfChanged(x)
		}
	case *ir.Arithmetic:
		if !CanFail(x) && IsNumber(x.X) && IsNumber(x.Y) {
			return Number
		}
		return Number | None
	case *ir.FuncCall:
		if x.Name == ir.FuncLen && KindsOfExpression(x.X)&^(Text|List|Object) == 0 {
			return Number
		} else if x.Name == ir.FuncLen {
			return Number | None
		}
	case *ir.Placeholder:
		return kindsOfPlaceholder(x, KindsOfExpression)
	}

	if CanBeUnknown(x) {
		return Bool | None
	}

	return KindsOf(x.ValueType().Schema)
}

// KindsOfResult returns the kinds of the values of an expression where data needs its value. In a
// condition, arithmetic that cannot be computed is None. Here it is a failure, so that only a missing
// operand gives None.
func KindsOfResult(x ir.Expression) Kind {
	switch x := x.(type) {
	case *ir.Arithmetic:
		return Number | (KindsOfResult(x.X)|KindsOfResult(x.Y))&None
	case *ir.FuncCall:
		if x.Name == ir.FuncLen {
			return Number | KindsOfResult(x.X)&None
		}
	case *ir.Placeholder:
		return kindsOfPlaceholder(x, KindsOfResult)
	}

	return KindsOfExpression(x)
}

// KindsOfDatum returns the kinds of the values of data in the source; nil is unknown data.
func KindsOfDatum(d *ir.Datum) Kind {
	if d == nil {
		return Any
	}
	switch d.Kind {
	case ir.DatumText:
		return Text
	case ir.DatumList:
		return List
	case ir.DatumAppend:
		return List
	case ir.DatumFields, ir.DatumMerge:
		return Object
	case ir.DatumValue:
		return KindsOfExpression(d.Value)
	}
	value, err := workflow.Parse([]byte(d.JSON))
	if err != nil {
		return Any
	}

	return KindOf(value)
}

// MayReadAsNumber reports whether data is a text, or may be one, that reads as a number.
func MayReadAsNumber(d *ir.Datum) bool {
	if d.Kind != ir.DatumText {
		return KindsOfDatum(d)&Text != 0
	}
	text, isConstant := d.Text.Constant()
	_, isNumber := workflow.Text(text).ReadNumber()

	return !isConstant || isNumber
}

// kindsOfChanged returns the kinds of the results of a method without an argument: None if x is not
// a text.
func kindsOfChanged(x *ir.Method) Kind {
	if KindsOfExpression(x.X) == Text {
		return Text
	}

	return Text | None
}

func kindsOfAccess(x *ir.Access) Kind {
	if x.Root == 0 {
		return Any // it was reported
	}
	k := KindsOf(x.Type.Schema)
	if x.MayBeNone && !hasOwnDefault(x) {
		k |= None
	}
	if x.Default != nil {
		k |= KindsOfExpression(x.Default)
	}

	return k
}

// hasOwnDefault reports whether a missing value is always replaced by its default: a field of the
// context itself, because nothing around it can be missing.
func hasOwnDefault(x *ir.Access) bool {
	return x.Default != nil && x.Root == ir.RootContext && len(x.Path) == 1
}

// kindsOfPlaceholder returns the kinds of the values of a placeholder. kindsOf returns those of its
// expressions.
func kindsOfPlaceholder(p *ir.Placeholder, kindsOf func(ir.Expression) Kind) Kind {
	var is Kind
	for i, value := range p.Values {
		is |= kindsOf(value)
		if i < len(p.Values)-1 {
			is &^= None
		}
	}
	for _, f := range p.Filters {
		descriptor, known := FilterByName(f.Name)
		if !known {
			is = Any
			continue
		}
		is = is&descriptor.Keeps | descriptor.Gives
		if descriptor.GivesArgument() {
			for _, arg := range f.Args {
				is |= KindsOfExpression(arg)
			}
		}
	}

	return is
}

// CanBeUnknown reports whether a condition can be neither true nor false: it compares values that can
// be missing, or that can lack an order.
func CanBeUnknown(x ir.Expression) bool {
	switch x := x.(type) {
	case *ir.Not:
		return CanBeUnknown(x.X)
	case *ir.Logic:
		return slices.ContainsFunc(x.X, CanBeUnknown)
	case *ir.Compare:
		return canBeUnknownCompared(x)
	case *ir.Contains:
		return canBeUnknownContained(x)
	case *ir.Method:
		return x.Arg != nil && (KindsOfExpression(x.X) != Text || KindsOfExpression(x.Arg) != Text)
	case *ir.FuncCall:
		return x.Name != ir.FuncLen && KindsOfExpression(x.X) != List
	}

	return ir.IsUntypedData(x) && KindsOfExpression(x)&(Number|Text) != 0
}

func canBeUnknownCompared(x *ir.Compare) bool {
	a, b := KindsOfExpression(x.X), KindsOfExpression(x.Y)
	switch {
	case ir.IsNoneTest(x):
		return false
	case ir.ReadsData(x), (a|b)&None != 0:
		return true
	case x.Op == ir.OpEqual, x.Op == ir.OpNotEqual:
		return false
	}

	return a != b || a != Number && a != Text
}

func canBeUnknownContained(x *ir.Contains) bool {
	if each := ir.ExpandContains(x); each != nil {
		return CanBeUnknown(each)
	}

	return ir.ReadsData(x) || (KindsOfExpression(x.X)|KindsOfExpression(x.Y))&None != 0
}
