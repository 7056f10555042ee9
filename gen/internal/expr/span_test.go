package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestSpans reads what stands under the place of each node of the cases: it is the same expression.
func TestSpans(t *testing.T) {
	nodes := 0
	eachCase(t, "ok", func(t *testing.T, c textCase) {
		c.eachText(func(n *yamldoc.Node, o outcome) {
			for _, x := range o.nodes {
				walk(x, func(x ir.Expression) {
					nodes++
					checkSpan(t, n, x, c.scope)
				})
			}
		})
	})
	if nodes < 400 {
		t.Errorf("only %d nodes", nodes)
	}
}

func checkSpan(t *testing.T, n *yamldoc.Node, x ir.Expression, scope *expr.Scope) {
	t.Helper()
	at := x.At()
	written := at.Text()
	if at.Start < n.Span.Start || at.End > n.Span.End || written == "" {
		t.Errorf("%s: %s stands at %q", n.Text, dump(x), written)
		return
	}
	if n.Span.Text() != n.Text || strings.Contains(dump(x), "this") {
		return
	}
	if zero, isLiteral := x.(*ir.Literal); isLiteral && zero.Value == int64(0) && written != "0" {
		return // -x is 0 - x, and x % 2 as a condition is x % 2 != 0
	}
	again := "nothing"
	switch x.(type) {
	case *ir.Arithmetic, *ir.FuncCall:
		if f, _ := expr.ParseFormula(ir.Text{Value: written}, scope, expr.Key); f != nil && dump(f.Root) == dump(x) {
			return
		}
	}
	if f, _ := expr.ParseFormula(ir.Text{Value: written}, scope, expr.Condition); f != nil {
		again = dump(f.Root)
	} else if d, _ := expr.ParseDatum(ir.Text{Value: "{{" + written + "}}"}, scope); d != nil && d.Value != nil {
		again = dump(d.Value)
	}
	if again != dump(x) {
		t.Errorf("%s: %s stands at %q, which is %s", n.Text, dump(x), written, again)
	}
}

// walk visits an expression and what is in it.
func walk(x ir.Expression, visit func(ir.Expression)) {
	visit(x)
	var inner []ir.Expression
	switch x := x.(type) {
	case *ir.Tuple:
		inner = x.Items
	case *ir.Not:
		inner = []ir.Expression{x.X}
	case *ir.Logic:
		inner = x.X
	case *ir.Compare:
		inner = []ir.Expression{x.X, x.Y}
	case *ir.Contains:
		inner = []ir.Expression{x.X, x.Y}
	case *ir.Arithmetic:
		inner = []ir.Expression{x.X, x.Y}
	case *ir.FuncCall:
		inner = []ir.Expression{x.X}
	case *ir.Method:
		inner = []ir.Expression{x.X}
		if x.Arg != nil {
			inner = append(inner, x.Arg)
		}
	}
	for _, x := range inner {
		walk(x, visit)
	}
}

// TestSpansInEachStyle writes an expression and a template in each style of YAML: the mistake is found where it stands.
func TestSpansInEachStyle(t *testing.T) {
	const formula, template = `context.a == "it's ä" and contxt.b == 'c'`, `it's "ä" {{ contxt.b }}`
	for _, text := range []string{formula, template} {
		single := strings.ReplaceAll(text, "'", "''")
		double := strings.ReplaceAll(text, `"`, `\"`)
		halves := func(text, between string) string {
			return strings.Replace(strings.Replace(text, " and ", between+"and"+between, 1), ` \"ä`, between+`\"ä`, 1)
		}
		for _, style := range []string{
			text, "'" + single + "'", `"` + double + `"`, `"` + halves(double, "\n    ") + `"`, `"` + halves(double, " \\\n    ") + `"`,
			"|\n    " + text, "|2-\n    " + text, ">\n    " + text, ">-\n\n    " + strings.ReplaceAll(text, " ", "\n    "),
			`"` + strings.ReplaceAll(double, "ä", `\u00e4\t`) + `"`,
		} {
			for _, eol := range []string{"\n", "\r\n"} {
				checkStyle(t, strings.ReplaceAll("x:\n  y: "+style+"\n", "\n", eol), text == formula)
			}
		}
	}
}

func checkStyle(t *testing.T, document string, isFormula bool) {
	t.Helper()
	n := parseYAML(t, "f.yaml", []byte(document)).Value("x").Value("y")
	text := ir.Text{Value: n.Text, Span: n.Span}
	_, found := expr.ParseFormula(text, openScope(), expr.Condition)
	if !isFormula {
		_, found = expr.ParseTemplate(text, openScope())
	}
	if len(found) != 1 || found[0].Span.Text() != "contxt" {
		for _, d := range found {
			t.Errorf("%q at %q in %q", d.Message, d.Span.Text(), document)
		}
		t.Errorf("%d findings in %q", len(found), document)
	}
}

// TestDeep reads what is nested, or long, beyond all measure: a finding, and no more than that.
func TestDeep(t *testing.T) {
	const n = 10_000
	for name, text := range map[string]string{
		"parentheses": strings.Repeat("(", n) + "context.a" + strings.Repeat(")", n),
		"brackets":    strings.Repeat("[", n) + "context.a" + strings.Repeat("]", n),
		"braces":      strings.Repeat("{", n) + strings.Repeat("}", n),
		"open":        strings.Repeat("(", 100*n),
		"closed":      strings.Repeat(")", 100*n),
		"not":         strings.Repeat("not ", n) + "context.a",
		"marks":       strings.Repeat("!", 100*n) + "context.a",
		"minus":       strings.Repeat("-", 100*n) + "1",
		"calls":       "context.a" + strings.Repeat(".lower()", n),
		"gets":        strings.Repeat("context.get(", 100*n),
		"choices":     strings.Repeat("1 if 2 else ", n) + "3",
		"words":       strings.Repeat("context.a and ", n) + "context.b",
		"chain":       strings.Repeat("1 < ", n) + "1",
		"lambda":      strings.Repeat("lambda: ", n) + "1",
		"mixed":       strings.Repeat("not (", n) + "1" + strings.Repeat(")", n),
		"names":       "context" + strings.Repeat(".a", n),
	} {
		t.Run(name, func(t *testing.T) {
			f, found := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition)
			if f != nil || len(found) == 0 || len(found[0].Message) > 200 {
				t.Errorf("%d findings", len(found))
			}
			tpl, found := expr.ParseTemplate(ir.Text{Value: "{{ " + text + " }}"}, openScope())
			if tpl != nil || len(found) == 0 {
				t.Errorf("as a template: %d findings", len(found))
			}
		})
	}
	for _, block := range []string{"{{#if context.a}}", "{{#each context.a}}", "{{#if context.a}}{{#each context.b}}"} {
		if _, found := expr.ParseTemplate(ir.Text{Value: strings.Repeat(block, n)}, openScope()); len(found) != 1 {
			t.Errorf("%s: %d findings", block, len(found))
		}
	}
	for _, tag := range []string{"{{ context.a }} ", "{{#if context.a}}x{{/if}}", "{{"} {
		_, found := expr.ParseTemplate(ir.Text{Value: strings.Repeat(tag, 10*n)}, openScope())
		if len(found) == 0 || len(found) > 1001 || !strings.Contains(found[len(found)-1].Message, "more than 1000") {
			t.Errorf("%s: %d findings", tag, len(found))
		}
	}
	for _, text := range []string{
		strings.Repeat("{{ context.a }} ", 1000) + strings.Repeat("and \\{{ text }} ", 10*n),
		strings.Repeat("{% ", 100*n),
	} {
		if tpl, found := expr.ParseTemplate(ir.Text{Value: text}, openScope()); tpl == nil {
			t.Errorf("%.20s: a long template has %d findings", text, len(found))
		}
	}
	if tpl, _ := expr.ParseTemplate(ir.Text{Value: "{{ \"" + strings.Repeat(`\"`, 100*n)}, openScope()); tpl != nil {
		t.Error("a quote that is not closed is read")
	}
}

// TestBounds: what is within the bounds is read.
func TestBounds(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 49) + "context.a" + strings.Repeat(")", 49),
		strings.Repeat("not ", 50) + "context.a",
		strings.Repeat("not (", 25) + "context.a" + strings.Repeat(")", 25),
		"context.a" + strings.Repeat(" and context.a", 2499),
		"context.a" + strings.Repeat(".lower()", 2400),
	} {
		if f, found := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition); f == nil {
			t.Errorf("%.40s: %s", text, found[0].Message)
		}
	}
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "context.a%d == 'x' or ", i)
	}
	if f, found := expr.ParseFormula(ir.Text{Value: b.String() + "context.b"}, openScope(), expr.Condition); f == nil || len(found) > 0 {
		t.Errorf("%d findings", len(found))
	}
}
