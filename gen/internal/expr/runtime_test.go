package expr_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// TestMeansWhatTheRuntimeDoes compares what is computed at compile time with what generated Go computes, for each
// pair of values.
func TestMeansWhatTheRuntimeDoes(t *testing.T) {
	texts := []string{
		"null", "true", "false", "0", "1", "-1", "1.5", "5", "9007199254740993", "9007199254740992.0", "1e400", "1e2",
		`""`, `" "`, `"5"`, `" 5 "`, `"5.0"`, `"+5"`, `"0x5"`, `"1_0"`, `"inf"`, `"nan"`, `"1e2"`, `"1e999"`, `"-"`, `"e"`, `"Ä x"`, `"x"`,
		`"true"`, `"9007199254740993"`, "[]", `[5]`, `["5"]`, `[[1],"x"]`, "{}", `{"x":1}`, `{"x":"1","5":[]}`,
	}
	of := map[string]func(x, y workflow.Value) bool{
		"context.a == context.b":                 workflow.Value.Equal,
		"context.a != context.b":                 func(x, y workflow.Value) bool { return !x.Equal(y) },
		"context.a < context.b":                  workflow.Value.Less,
		"context.a <= context.b":                 workflow.Value.LessEqual,
		"context.a > context.b":                  func(x, y workflow.Value) bool { return y.Less(x) },
		"context.a >= context.b":                 func(x, y workflow.Value) bool { return y.LessEqual(x) },
		"context.a in context.b":                 func(x, y workflow.Value) bool { return y.Contains(x) },
		"context.a not in context.b":             func(x, y workflow.Value) bool { return !y.Contains(x) },
		"context.a.startswith(context.b)":        workflow.Value.StartsWith,
		"context.a.endswith(context.b)":          workflow.Value.EndsWith,
		"context.a.lower() == context.b":         func(x, y workflow.Value) bool { return x.Lower().Equal(y) },
		"context.a.upper() == context.b.strip()": func(x, y workflow.Value) bool { return x.Upper().Equal(y.Strip()) },
		"context.a":                              func(x, _ workflow.Value) bool { return x.True() },
		"not context.a and context.b":            func(x, y workflow.Value) bool { return !x.True() && y.True() },
		"context.a or not context.b":             func(x, y workflow.Value) bool { return x.True() || !y.True() },
		"[context.a, context.b] == [context.b, context.a]": func(x, y workflow.Value) bool {
			return workflow.List(x, y).Equal(workflow.List(y, x))
		},
	}
	for text, runs := range of {
		f, found := expr.Formula(ir.Text{Value: text}, openScope(), expr.Condition)
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
				got := expr.Evaluate(f.Root, reached(map[string]any{"a": x, "b": y})).True()
				if want := runs(x, y); got != want {
					t.Errorf("%s with %s and %s is %t, at run time %t", text, a, b, got, want)
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
