package expr_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestMeansWhatTheRuntimeDoes compares what is computed at compile time with what generated Go computes, for each
// pair of values.
func TestMeansWhatTheRuntimeDoes(t *testing.T) {
	texts := []string{
		"null", "true", "false", "0", "1", "-1", "1.5", "5", "9007199254740993", "9007199254740992.0", "1e400", "1e2",
		`""`, `" "`, `"5"`, `" 5 "`, `"5.0"`, `"+5"`, `"0x5"`, `"1_0"`, `"inf"`, `"nan"`, `"1e2"`, `"1e999"`, `"-"`, `"e"`, `"Ä x"`, `"x"`,
		`"true"`, `"9007199254740993"`, "[]", `[5]`, `["5"]`, `[[1],"x"]`, "{}", `{"x":1}`, `{"x":"1","5":[]}`,
	}
	of := map[string]func(x, y workflow.Value) workflow.Truth{
		"context.a == context.b":                 workflow.Value.Equals,
		"context.a != context.b":                 func(x, y workflow.Value) workflow.Truth { return x.Equals(y).Not() },
		"context.a < context.b":                  workflow.Value.LessThan,
		"context.a <= context.b":                 workflow.Value.AtMost,
		"context.a > context.b":                  func(x, y workflow.Value) workflow.Truth { return y.LessThan(x) },
		"context.a >= context.b":                 func(x, y workflow.Value) workflow.Truth { return y.AtMost(x) },
		"context.a in context.b":                 func(x, y workflow.Value) workflow.Truth { return y.Includes(x) },
		"context.a not in context.b":             func(x, y workflow.Value) workflow.Truth { return y.Includes(x).Not() },
		"context.a.startswith(context.b)":        workflow.Value.HasStart,
		"context.a.endswith(context.b)":          workflow.Value.HasEnd,
		"context.a.lower() == context.b":         func(x, y workflow.Value) workflow.Truth { return x.Lower().Equals(y) },
		"context.a.upper() == context.b.strip()": func(x, y workflow.Value) workflow.Truth { return x.Upper().Equals(y.Strip()) },
		"context.a":                              func(x, _ workflow.Value) workflow.Truth { return workflow.Known(x.True()) },
		"not context.a and context.b":            func(x, y workflow.Value) workflow.Truth { return workflow.Known(!x.True() && y.True()) },
		"context.a or not context.b":             func(x, y workflow.Value) workflow.Truth { return workflow.Known(x.True() || !y.True()) },
		"context.a == None":                      func(x, _ workflow.Value) workflow.Truth { return workflow.Known(x.IsNone()) },
		"None != context.a":                      func(x, _ workflow.Value) workflow.Truth { return workflow.Known(!x.IsNone()) },
		"context.get('a', 5) == context.b": func(x, y workflow.Value) workflow.Truth {
			return workflow.Object(workflow.Member{Name: "a", Value: x}).GetOr("a", workflow.Int(5)).Equals(y)
		},
		"context.a in [context.b, 5]": func(x, y workflow.Value) workflow.Truth {
			return x.Equals(y).Or(x.Equals(workflow.Int(5)))
		},
		"context.a in [None, 5]": func(x, _ workflow.Value) workflow.Truth {
			return workflow.List(workflow.Value{}, workflow.Int(5)).Includes(x)
		},
		"(context.a < context.b) == True": func(x, y workflow.Value) workflow.Truth {
			return x.LessThan(y).Value().Equals(workflow.Of(true))
		},
		"[context.a, context.b] == [context.b, context.a]": func(x, y workflow.Value) workflow.Truth {
			return workflow.List(x, y).Equals(workflow.List(y, x))
		},
	}
	for text, runs := range of {
		f, found := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition)
		if f == nil {
			t.Fatal(text, found)
		}
		for _, a := range texts {
			for _, b := range texts {
				x, okX := workflowValue(a)
				y, okY := workflowValue(b)
				if !okX || !okY {
					continue
				}
				got := expr.Decide(f.Root, reached(map[string]any{"a": x, "b": y}))
				if want := runs(x, y); got != want {
					t.Errorf("%s with %s and %s is %s, at run time %s", text, a, b, got, want)
				}
			}
		}
	}
}

// workflowValue reads JSON as the runtime does; ok is false for what that refuses.
func workflowValue(text string) (workflow.Value, bool) {
	v, err := workflow.Parse([]byte(text))

	return v, err == nil
}
