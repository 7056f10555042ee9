package expr_test

import (
	"encoding/json"
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
	for _, a := range texts {
		x, ok := workflowValue(a)
		if !ok {
			continue
		}
		mine := jsonValue(t, a)
		checkUnary(t, a, mine, x)
		for _, b := range texts {
			y, ok := workflowValue(b)
			if !ok {
				continue
			}
			checkPair(t, a+" and "+b, mine, jsonValue(t, b), x, y)
		}
	}
}

func checkUnary(t *testing.T, name string, mine any, x workflow.Value) {
	t.Helper()
	for method, want := range map[string]workflow.Value{"lower": x.Lower(), "upper": x.Upper(), "strip": x.Strip()} {
		got, isText := expr.Method(method, mine, nil).(string)
		if text, wantText := want.AsText(); got != text || isText != wantText {
			t.Errorf("%s.%s() is %q, want %q", name, method, got, text)
		}
	}
	if expr.Truth(mine) != x.True() {
		t.Errorf("%s is true: %t", name, expr.Truth(mine))
	}
}

func checkPair(t *testing.T, name string, a, b any, x, y workflow.Value) {
	t.Helper()
	for what, pair := range map[string][2]bool{
		"==":         {expr.Compare(ir.OpEqual, a, b), workflow.Equal(x, y)},
		"!=":         {expr.Compare(ir.OpNotEqual, a, b), !workflow.Equal(x, y)},
		"<":          {expr.Compare(ir.OpLess, a, b), workflow.Less(x, y)},
		"<=":         {expr.Compare(ir.OpLessEqual, a, b), workflow.LessEqual(x, y)},
		">":          {expr.Compare(ir.OpGreater, a, b), workflow.Less(y, x)},
		">=":         {expr.Compare(ir.OpGreaterEqual, a, b), workflow.LessEqual(y, x)},
		"in":         {expr.Contains(b, a), workflow.Contains(y, x)},
		"startswith": {expr.Method("startswith", a, b).(bool), x.StartsWith(y)},
		"endswith":   {expr.Method("endswith", a, b).(bool), x.EndsWith(y)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s is %t, want %t", name, what, pair[0], pair[1])
		}
	}
}

// workflowValue reads JSON as the runtime does; ok is false for what that refuses.
func workflowValue(text string) (workflow.Value, bool) {
	v, err := workflow.Parse([]byte(text))

	return v, err == nil
}

// jsonValue reads JSON into the values of compile time.
func jsonValue(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}

	return wholeNumbers(value, text)
}

func wholeNumbers(value any, text string) any {
	switch value := value.(type) {
	case float64:
		var n int64
		if json.Unmarshal([]byte(text), &n) == nil {
			return n
		}
		if value == float64(int64(value)) {
			return int64(value)
		}
	case []any:
		for i, item := range value {
			value[i] = wholeNumbers(item, "-")
		}
	case map[string]any:
		for name, member := range value {
			value[name] = wholeNumbers(member, "-")
		}
	}

	return value
}
