package expr_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// openScope is a place with a context of which nothing is known.
func openScope() *expr.Scope {
	return &expr.Scope{Names: []expr.Name{{Name: "context", Value: &ir.Access{Root: ir.RootContext}}}}
}

// reached computes what names lead to from the values of a context.
func reached(context map[string]any) func(x ir.Expression) (any, bool) {
	return func(x ir.Expression) (any, bool) {
		access, ok := x.(*ir.Access)
		if !ok {
			return nil, false
		}
		var value any = context
		for i, field := range access.Path {
			object, isObject := value.(map[string]any)
			member, has := object[field.Name.Value]
			if isObject && !has && access.Default != nil && i == len(access.Path)-1 {
				return expr.Evaluate(access.Default, reached(context)), true
			}
			value = member
		}
		return value, true
	}
}

// generator makes expressions and values.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 7))} }

func (g generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// fields are the names that the expressions use. Those of numbers begin with n, those of texts with t.
var fields = []string{"a", "b", "n", "n2", "t", "t2", "missing"}

// context makes values for the fields.
func (g generator) context() map[string]any {
	context := map[string]any{}
	for _, name := range fields {
		switch name[0] {
		case 'n':
			context[name] = g.number()
		case 't':
			context[name] = g.text()
		case 'm':
		default:
			context[name] = g.value(2)
		}
	}

	return context
}

func (g generator) value(depth int) any {
	switch n := g.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return g.IntN(2) == 0
	case n < 4:
		return g.number()
	case n >= 6 && depth > 0:
		if g.IntN(2) == 0 {
			return map[string]any{"x": g.value(depth - 1), "y": g.value(depth - 1)}
		}
		list := []any{}
		for range g.IntN(3) {
			list = append(list, g.value(depth-1))
		}
		return list
	}

	return g.text()
}

func (g generator) number() any {
	if g.IntN(2) == 0 {
		return int64(g.IntN(5) - 2)
	}

	return float64(g.IntN(9))/4 - 1
}

func (g generator) text() string { return g.pick("", "x", "X", " x ", "xy", "ä", "y") }

// condition writes a condition. Parentheses are rare, so that most of its structure is up to the precedence of the
// operators.
func (g generator) condition(depth int) string {
	if depth == 0 {
		return g.comparison()
	}
	switch g.IntN(6) {
	case 0:
		return "not " + g.pick("", "not ") + g.condition(0)
	case 1:
		return "(" + g.condition(depth-1) + ")"
	case 2:
		return "not (" + g.condition(depth-1) + ")"
	}
	parts := []string{g.condition(depth - 1)}
	for range 1 + g.IntN(3) {
		parts = append(parts, g.pick("and", "or"), g.condition(depth-1))
	}

	return strings.Join(parts, g.pick(" ", "  ", "\n"))
}

func (g generator) comparison() string {
	x, y := g.operand(), g.operand()
	switch g.IntN(12) {
	case 0:
		return x
	case 10:
		return g.chain()
	case 11:
		return g.pick("any(", "all(") + g.pick("["+x+", "+g.sum(1)+", "+y+"]", "[]", g.path()) + ")"
	case 1:
		return x + g.pick(" in ", " not in ") + g.pick("["+g.operand()+", "+g.operand()+"]", "("+g.operand()+",)", "'xXy'", y)
	case 2:
		return g.path() + g.pick(".startswith(", ".endswith(") + g.pick("'x'", "'y'", "''", g.path()) + ")"
	}

	if g.IntN(3) == 0 {
		return x + g.pick(" == ", " != ", "==") + y
	}
	order := g.pick(" < ", " <= ", " > ", " >= ", "<")
	if g.IntN(2) == 0 {
		return g.pick("context.n", "context.n2", "-1", "0.5") + order + g.pick("context.n", "context['n2']", "1", "-0.25")
	}

	return g.pick("context.t", "context.t2.lower()", "'x'") + order + g.pick("context.t2.strip()", "context.t", "'y'")
}

// only marks a text that a language without chains needs.
func only(text string) string { return chainMark + text + chainEnd }

// chain writes a chain of comparisons.
func (g generator) chain() string {
	middle := g.sum(1)

	return only("(") + g.sum(1) + g.pick(" < ", " <= ", " == ") + middle + only(" and "+middle) + g.pick(" < ", " >= ", " != ") + g.sum(1) + only(")")
}

const chainMark, chainEnd = "\x01", "\x02"

// unmark returns a condition with chains, and with the comparisons that they mean.
func unmark(text string) (chained, expanded string) {
	return repeated.ReplaceAllString(text, ""), strings.NewReplacer(chainMark, "", chainEnd, "").Replace(text)
}

var repeated = regexp.MustCompile(chainMark + "[^" + chainEnd + "]*" + chainEnd)

// sum writes arithmetic, mostly of numbers.
func (g generator) sum(depth int) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.pick("context.n", "context.n2", "context['n']", "2", "-3", "0.5", "0", "-context.n", "len(["+g.path()+", 1])", g.path())
	}
	if g.IntN(4) == 0 {
		return "(" + g.sum(depth-1) + ")"
	}

	return g.sum(depth-1) + g.pick(" + ", " - ", " * ", " / ", " % ", "+", "*") + g.sum(depth-1)
}

func (g generator) operand() string {
	switch g.IntN(8) {
	case 6, 7:
		return g.sum(2)
	case 0:
		return g.pick("1", "-1", "0", "2", "0.5", "-0.25", "1e0", "0x2")
	case 1:
		return g.pick("'x'", `"y"`, "''", "'xy'", "'\\u00e4'", "None", "True", "False")
	case 2:
		return g.path() + g.pick(".lower()", ".upper()", ".strip()", ".strip().upper()")
	case 3:
		return g.pick("[]", "[1, 'x']", "(not "+g.path()+")", "("+g.path()+" == 1)")
	}

	return g.path()
}

func (g generator) path() string {
	name := fields[g.IntN(len(fields))]
	path := g.pick("context."+name, `context["`+name+`"]`, "context.get('"+name+"')", "(context."+name+")")
	if g.IntN(4) == 0 {
		path = "context." + name + g.pick(".x", "['y']", ".z", ".get('x')")
	}
	if g.IntN(8) == 0 {
		path = "context.get('" + name + "', " + g.pick("1", "'x'", "[]") + ")"
	}

	return path
}

func describe(context map[string]any) string { return fmt.Sprintf("%#v", context) }
