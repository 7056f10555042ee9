package expr_test

import (
	"fmt"
	"slices"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestMeansWhatStarlarkSays computes random conditions with the interpreter of the language whose parser reads them.
// Where that refuses an operation, such as an order between a list and a number, there is nothing to compare, nor
// where it orders lists and booleans.
func TestMeansWhatStarlarkSays(t *testing.T) {
	compared := 0
	for seed := range uint64(6000) {
		g := newGenerator(seed)
		text, expanded := unmark(g.condition(g.IntN(4)))
		context := g.context()
		f, found := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition)
		if f == nil {
			for _, d := range found {
				if d.Check != diag.GuardType && d.Check != diag.UndefinedVariable && d.Check != diag.NoResult && d.Severity == diag.Error {
					t.Fatalf("%s: %s", text, d.Message)
				}
			}
			continue
		}
		want, err := interpret(expanded, context)
		if err != nil || ordersOthers(f.Root, reached(context)) {
			continue
		}
		got := expr.Decide(f.Root, reached(context))
		if got == workflow.Unknown || comparesUnknown(f.Root, reached(context)) {
			continue // Starlark compares what is missing
		}
		compared++
		if got.Holds() != want {
			t.Fatalf("%s\nread as %s\nis %s, want %t, with %s", text, dump(f.Root), got, want, describe(context))
		}
	}
	t.Logf("%d conditions", compared)
	if compared < 1500 {
		t.Errorf("only %d conditions were compared", compared)
	}
}

// ordersOthers reports whether an expression asks for the order of lists or booleans.
func ordersOthers(x ir.Expression, known func(ir.Expression) (any, bool)) bool {
	switch x := x.(type) {
	case *ir.Not:
		return ordersOthers(x.X, known)
	case *ir.Logic:
		return slices.ContainsFunc(x.X, func(x ir.Expression) bool { return ordersOthers(x, known) })
	case *ir.Compare:
		v := expr.Evaluate(x.X, known)
		isOrdered := v.IsText() || v.IsNumber()
		return x.Op != ir.OpEqual && x.Op != ir.OpNotEqual && !isOrdered ||
			ordersOthers(x.X, known) || ordersOthers(x.Y, known)
	}

	return false
}

// comparesUnknown reports whether an expression compares a condition that is unknown.
func comparesUnknown(x ir.Expression, known func(ir.Expression) (any, bool)) bool {
	isUnknown := false
	check := func(operand ir.Expression) {
		switch operand.(type) {
		case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains, *ir.Method, *ir.Arithmetic, *ir.FuncCall:
			isUnknown = isUnknown || expr.Evaluate(operand, known).IsNone()
		}
	}
	ir.WalkExpression(x, func(x ir.Expression) {
		switch x := x.(type) {
		case *ir.Compare:
			check(x.X)
			check(x.Y)
		case *ir.Contains:
			check(x.X)
		case *ir.Tuple:
			for _, item := range x.Items {
				check(item)
			}
		}
	})

	return isUnknown
}

// interpret computes a condition.
func interpret(text string, context map[string]any) (bool, error) {
	names := starlark.StringDict{"context": object(context), "true": starlark.True, "false": starlark.False}
	value, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "", "("+text+")", names)
	if err != nil {
		return false, err
	}

	return bool(value.Truth()), nil
}

// object is a value with fields; those that it does not have are None.
type object map[string]any

func (o object) String() string        { return fmt.Sprint(map[string]any(o)) }
func (o object) Type() string          { return "object" }
func (o object) Freeze()               {}
func (o object) Truth() starlark.Bool  { return len(o) > 0 }
func (o object) Hash() (uint32, error) { return 0, fmt.Errorf("no key") }
func (o object) AttrNames() []string   { return nil }

func (o object) Attr(name string) (starlark.Value, error) {
	if name == "get" {
		return starlark.NewBuiltin(name, o.get), nil
	}

	return toStarlark(o[name]), nil
}

func (o object) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("no name")
	}
	_, has := o[name]

	return toStarlark(o[name]), has, nil
}

func (o object) get(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if value, has, err := o.Get(args[0]); has || err != nil || len(args) == 1 {
		return value, err
	}

	return args[1], nil
}

func (o object) CompareSameType(op syntax.Token, other starlark.Value, depth int) (bool, error) {
	equal := len(o) == len(other.(object))
	for name := range o {
		same, err := starlark.EqualDepth(toStarlark(o[name]), toStarlark(other.(object)[name]), depth-1)
		if err != nil {
			return false, err
		}
		equal = equal && same
	}
	switch op {
	case syntax.EQL:
		return equal, nil
	case syntax.NEQ:
		return !equal, nil
	}

	return false, fmt.Errorf("no order")
}

func toStarlark(value any) starlark.Value {
	switch value := value.(type) {
	case bool:
		return starlark.Bool(value)
	case int64:
		return starlark.MakeInt64(value)
	case float64:
		return starlark.Float(value)
	case string:
		return starlark.String(value)
	case []any:
		items := make([]starlark.Value, len(value))
		for i, item := range value {
			items[i] = toStarlark(item)
		}
		return starlark.NewList(items)
	case map[string]any:
		return object(value)
	}

	return starlark.None
}
