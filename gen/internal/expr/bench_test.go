package expr_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func BenchmarkFormula(b *testing.B) {
	scope := scopeOf(b, parseYAML(b, "scope.yaml", []byte(fuzzScope)))
	text := asFile("context.n > 5 and (steps.draft.text != '' or context.o.x in ['p', 'q']) and not context.l")
	b.ReportAllocs()
	for b.Loop() {
		if f, _ := expr.ParseFormula(text, scope, expr.Condition); f == nil {
			b.Fatal("it has a mistake")
		}
	}
}

func BenchmarkTemplate(b *testing.B) {
	scope := scopeOf(b, parseYAML(b, "scope.yaml", []byte(fuzzScope)))
	text := asFile(strings.Repeat("Some text, {{ context.a or 'none' | upper }}, {{#each context.l}}{{ this }}{{/each}}\n", 20))
	b.SetBytes(int64(len(text.Value)))
	b.ReportAllocs()
	for b.Loop() {
		if t, _ := expr.ParseTemplate(text, scope); t == nil {
			b.Fatal("it has a mistake")
		}
	}
}

// BenchmarkConstant has as many alternatives as are looked at.
func BenchmarkConstant(b *testing.B) {
	names := strings.Split("a b c d e f g h i j k l", " ")
	for i, name := range names {
		names[i] = "context." + name + " == 'x'"
	}
	text := ir.Text{Value: strings.Join(names, " or ")}
	b.ReportAllocs()
	for b.Loop() {
		if f, found := expr.ParseFormula(text, openScope(), expr.Condition); f == nil || len(found) > 0 {
			b.Fatal("it has a mistake")
		}
	}
}
