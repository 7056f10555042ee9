package expr_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestDataMeansWhatTheRuntimeDoes compares what is decided at compile time about data with what generated Go decides, for each pair
// of values.
func TestDataMeansWhatTheRuntimeDoes(t *testing.T) {
	scope := dataScope()
	texts := []string{
		"null", "true", "false", "0", "1", "1.5", `""`, `"1"`, `"a"`, `"ab"`, "[]", `["a"]`, `[null]`, `[1,"a"]`, "{}", `{"a":null}`,
	}
	of := map[string]func(x, y workflow.Value) workflow.Truth{
		"data.a == data.b":          workflow.Value.Is,
		"data.a != data.b":          func(x, y workflow.Value) workflow.Truth { return x.Is(y).Not() },
		"data.a < data.b":           workflow.Value.IsLess,
		"data.a <= data.b":          workflow.Value.IsAtMost,
		"data.a > data.b":           func(x, y workflow.Value) workflow.Truth { return y.IsLess(x) },
		"data.a >= data.b":          func(x, y workflow.Value) workflow.Truth { return y.IsAtMost(x) },
		"data.a in data.b":          func(x, y workflow.Value) workflow.Truth { return x.IsIn(y) },
		"data.a not in data.b":      func(x, y workflow.Value) workflow.Truth { return x.IsIn(y).Not() },
		"data.a.startswith(data.b)": workflow.Value.HasStart,
		"data.a.endswith(data.b)":   workflow.Value.HasEnd,
		"data.a":                    func(x, _ workflow.Value) workflow.Truth { return x.IsTrue() },
		"not data.a":                func(x, _ workflow.Value) workflow.Truth { return x.IsTrue().Not() },
		"data.a == None":            func(x, _ workflow.Value) workflow.Truth { return workflow.Known(x.IsNone()) },
		"not (data.a != None)":      func(x, _ workflow.Value) workflow.Truth { return workflow.Known(x.IsNone()) },
		"data.a and data.b":         func(x, y workflow.Value) workflow.Truth { return x.IsTrue().And(y.IsTrue()) },
		"data.a or not data.b": func(x, y workflow.Value) workflow.Truth {
			return x.IsTrue().Or(y.IsTrue().Not())
		},
		"data.a.lower() == 'ab'": func(x, _ workflow.Value) workflow.Truth { return x.Lower().Is(workflow.Text("ab")) },
		"not (data.a in ['a', None])": func(x, _ workflow.Value) workflow.Truth {
			return x.IsIn(workflow.List(workflow.Text("a"), workflow.Value{})).Not()
		},
	}
	for text, runs := range of {
		f, found := expr.ParseFormula(ir.Text{Value: text}, scope, expr.Condition)
		if f == nil {
			t.Fatal(text, found)
		}
		for _, a := range texts {
			for _, b := range texts {
				x, _ := workflowValue(a)
				y, _ := workflowValue(b)
				known := map[string]any{"a": x, "b": y}
				if got, want := expr.Decide(f.Root, reached(known)), runs(x, y); got != want {
					t.Errorf("%s with %s and %s is %s, at run time %s", text, a, b, got, want)
				}
			}
		}
	}
}

// TestUnknownIsWhatCouldBeBoth compares random conditions with what they are for each way in which the unknown parts could have come
// out: a condition holds, or fails, exactly where it does so in all of them.
func TestUnknownIsWhatCouldBeBoth(t *testing.T) {
	unknowns := 0
	for seed := range uint64(3000) {
		g := newGenerator(seed)
		var parts []string
		text := g.overData(3, &parts)
		f, found := expr.ParseFormula(ir.Text{Value: text}, dataScope(), expr.Condition)
		if f == nil {
			t.Fatal(text, found)
		}
		members := map[string]any{}
		var open []string
		for _, part := range parts {
			switch g.IntN(4) {
			case 0: // a missing one is false
			case 1:
				members[part], open = "false", append(open, part) // of another kind
			default:
				members[part] = g.IntN(2) == 0
			}
		}
		got := expr.Decide(f.Root, reached(members))
		held := 0
		for way := range 1 << len(open) {
			for i, part := range open {
				members[part] = way>>i&1 == 1
			}
			if expr.Evaluate(f.Root, reached(members)).True() {
				held++
			}
		}
		want := workflow.Unknown
		switch held {
		case 0:
			want = workflow.Known(false)
		case 1 << len(open):
			want = workflow.Known(true)
		}
		if got != want {
			t.Fatalf("%s with %d of %d open: %s, want %s", text, len(open), len(parts), got, want)
		}
		if want == workflow.Unknown {
			unknowns++
		}
	}
	if unknowns < 300 {
		t.Errorf("only %d conditions were unknown", unknowns)
	}
}

// overData writes a condition in which each member of data is named once.
func (g generator) overData(depth int, parts *[]string) string {
	if depth == 0 || g.IntN(4) == 0 {
		part := "m" + strings.Repeat("x", len(*parts))
		*parts = append(*parts, part)
		return g.pick("", "not ") + "data." + part
	}

	return g.pick("", "not ") + "(" + g.overData(depth-1, parts) + g.pick(" and ", " or ") + g.overData(depth-1, parts) + ")"
}

// TestConstantGuardsOverDataAre: what is called constant about data is so whatever the data is, missing members included.
func TestConstantGuardsOverDataAre(t *testing.T) {
	called := 0
	for seed := range uint64(2500) {
		g := newGenerator(seed)
		text := strings.ReplaceAll(g.tight(2), "context.", "data.")
		f, _ := expr.ParseFormula(ir.Text{Value: text}, dataScope(), expr.Condition)
		if f == nil {
			continue
		}
		canHold, canFail := expr.Judge(f.Root, nil)
		if canHold == canFail {
			continue
		}
		called++
		for range 100 {
			data := map[string]any{"a": g.near(), "b": g.near()}
			if (expr.Decide(f.Root, reached(data)) == workflow.Known(true)) != canHold {
				t.Fatalf("%s is said to be %t always, but not with %s", text, canHold, describe(data))
			}
		}
	}
	if called < 100 {
		t.Errorf("only %d conditions were called constant", called)
	}
}

// dataScope has data of which nothing is known.
func dataScope() *expr.Scope {
	open := &ir.Schema{Kind: ir.SchemaObject, Additional: &ir.Schema{Kind: ir.SchemaAny}}

	return &expr.Scope{Machine: true, Names: []expr.Name{{Name: "data", Value: &ir.Access{Root: ir.RootData, Type: ir.Type{Schema: open}}}}}
}
