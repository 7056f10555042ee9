package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parseFormula parses an expression, or returns nil.
func (r *reader) parseFormula(use Use) ir.Expression {
	p := &parser{reader: r, tokens: tokenize(r.text.Value, place{0, len(r.text.Value)}, false)}
	if len(p.tokens) == 0 {
		r.unsupported(place{0, len(r.text.Value)}, "the expression is empty")
		return nil
	}
	if r.scope.Machine && !p.checkGuardNames() || !p.checkTokens() {
		return nil
	}
	first := p.parseExpression()
	root := p.toExpression(first)
	if use == Condition {
		root = p.toCondition(root)
	}
	if p.accept(",") {
		root = p.parseList(p.tokens[0], "", []ir.Expression{root}).x
	}
	if p.i < len(p.tokens) {
		p.reportUnexpected()
	}
	if len(p.grammar) > 0 {
		r.found = p.grammar
	}

	return root
}

// unknownValue is the value of a part that has been reported.
func (r *reader) unknownValue(at place) ir.Expression { return &ir.Access{Span: r.span(at)} }

// parseExpression parses `a or b`.
func (p *parser) parseExpression() operand { return p.parseLogic("or", p.parseAnd) }

func (p *parser) parseAnd() operand { return p.parseLogic("and", p.parseNot) }

// parseLogic parses operands that a word joins. Parentheses are kept.
func (p *parser) parseLogic(word string, read func() operand) operand {
	first := read()
	if !p.peek().hasText(word) {
		return first
	}
	at := first.place
	x := &ir.Logic{Or: word == "or", X: []ir.Expression{p.toCondition(p.toExpression(first))}}
	for p.accept(word) {
		v := read()
		x.X, at.end = append(x.X, p.toCondition(p.toExpression(v))), v.end
	}
	x.Span = p.span(at)

	return operand{place: at, x: x}
}

// parseNot parses `not x`.
func (p *parser) parseNot() operand {
	t := p.peek()
	if !p.accept("not") {
		return p.parseComparison()
	}
	v := p.parseNested(t.place, p.parseNot)
	at := place{t.start, v.end}

	return operand{place: at, x: &ir.Not{Span: p.span(at), X: p.toCondition(p.toExpression(v))}}
}

// toCondition returns a value as a condition: a computed number holds if it is not 0, and is
// unknown if it has no value.
func (p *parser) toCondition(x ir.Expression) ir.Expression {
	switch number := x.(type) {
	case *ir.Arithmetic:
	case *ir.FuncCall:
		if number.Name != ir.FuncLen {
			return x
		}
	default:
		return x
	}

	return &ir.Compare{Span: x.At(), Op: ir.OpNotEqual, X: x, Y: &ir.Literal{Span: x.At(), Value: int64(0)}}
}

// comparisons are the operators that compare two values.
var comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}

// parseComparison parses `x == y`, `x in y` and similar comparisons. A chain of them, `x < y < z`,
// is a comparison of each two neighbours.
func (p *parser) parseComparison() operand {
	operands := []operand{p.parseSum()}
	var signs []token
	for slices.ContainsFunc(comparisons, p.peek().hasText) {
		signs = append(signs, p.next())
		operands = append(operands, p.parseSum())
	}
	if len(signs) == 0 {
		return operands[0]
	}
	at := place{operands[0].start, operands[len(operands)-1].end}
	if p.broken {
		return operand{place: at, x: p.unknownValue(at)}
	}

	values := ir.Map(operands, p.toExpression)
	chain := &ir.Logic{Span: p.span(at)}
	for i, sign := range signs {
		pair := place{operands[i].start, operands[i+1].end}
		chain.X = append(chain.X, p.compare(sign, pair, values[i:], operands[i:]))
	}
	if len(chain.X) == 1 {
		return operand{place: at, x: chain.X[0]}
	}

	return operand{place: at, x: chain}
}

// compare returns the comparison of the first two values, and reports mistakes in it.
func (p *parser) compare(sign token, at place, values []ir.Expression, operands []operand) ir.Expression {
	if strings.HasSuffix(sign.text, "in") {
		c := &ir.Contains{Span: p.span(at), X: values[0], Y: values[1], Not: sign.text == "not in"}
		p.checkContains(c)
		return c
	}
	c := &ir.Compare{Span: p.span(at), Op: ir.CompareOp(sign.text), X: values[0], Y: values[1]}
	p.checkCompare(c, operands[0].place, operands[1].place)

	return c
}

// otherOperators are operators of other languages.
var otherOperators = []string{"//", "**", "&", "|", "^", "<<", ">>"}

// parseSum parses `x + y` and `x - y`.
func (p *parser) parseSum() operand { return p.parseArithmetic(p.parseProduct, "+", "-") }

// parseProduct parses `x * y`, `x / y` and `x % y`.
func (p *parser) parseProduct() operand { return p.parseArithmetic(p.parseSigned, "*", "/", "%") }

// parseArithmetic parses operands that one of some operators joins, from left to right.
func (p *parser) parseArithmetic(read func() operand, operators ...string) operand {
	before := len(p.found)
	x := read()
	for !p.broken {
		sign := p.peek()
		switch {
		case slices.ContainsFunc(operators, sign.hasText):
			isName := sign.hasText("-") && p.isTight(p.i) && p.reportHyphenated(p.i, before)
			p.i++
			y := read()
			at := place{x.start, y.end}
			if isName {
				p.found = p.found[:before+1]
				x = operand{place: at, x: p.unknownValue(at)}
				continue
			}
			x = operand{place: at, x: p.arithmetic(sign, at, x, y)}
		case !p.isPlain() && slices.ContainsFunc(otherOperators, sign.hasText):
			p.unsupported(sign.place, "%q is not an operator here", sign.text).WithHint("the operators of numbers are + - * / %%")
			p.i++
			x = operand{place: place{x.start, read().end}}
			x.x = p.unknownValue(x.place)
		default:
			return x
		}
	}

	return x
}

// isTight reports whether there is no white space around a token.
func (p *parser) isTight(i int) bool {
	return i > 0 && i+1 < len(p.tokens) && p.tokens[i-1].end == p.tokens[i].start && p.tokens[i].end == p.tokens[i+1].start
}

// arithmetic returns `x op y`, and reports what is never a number and what never has a result.
func (p *parser) arithmetic(sign token, at place, x, y operand) ir.Expression {
	a := &ir.Arithmetic{
		Span: p.span(at), Written: p.sourceText(at), Op: ir.ArithmeticOp(sign.text), X: p.toExpression(x), Y: p.toExpression(y),
	}
	before := len(p.found)
	format := "%s is %s, but " + strings.ReplaceAll(sign.text, "%", "%%") + " takes numbers"
	p.checkKind(x.place, a.X, builtin.Number, format)
	p.checkKind(y.place, a.Y, builtin.Number, format)
	hasText := slices.ContainsFunc([]ir.Expression{a.X, a.Y}, func(x ir.Expression) bool { return builtin.KindsOfExpression(x).IsOnly(builtin.Text) })
	if sign.hasText("+") && hasText && len(p.found) > before {
		p.found[len(p.found)-1].WithHint("to join texts, use a template")
	}
	if reason := alwaysFails(a); reason != "" && len(p.found) == before {
		p.report(diag.NoResult, at, "%s never has a result: %s", a.Written, reason)
		return p.unknownValue(at)
	}

	return a
}

// alwaysFails returns why arithmetic never has a result; "" if it may have one.
func alwaysFails(a *ir.Arithmetic) string {
	if value, isConstant := constantOf(a); isConstant {
		return value.Problem()
	}

	return builtin.AlwaysFails(a)
}

// parseSigned parses an operand that may have a sign.
func (p *parser) parseSigned() operand {
	t := p.peek()
	if !t.hasText("-") && !t.hasText("+") && !t.hasText("~") {
		return p.parseOperand()
	}
	p.i++
	if n := p.peek(); t.hasText("-") && n.kind == number {
		p.i++
		at := place{t.start, n.end}
		return operand{place: at, x: p.parseLiteral("-"+n.text, at)}
	}
	if t.hasText("-") {
		zero := operand{place: place{t.start, t.start}, x: &ir.Literal{Span: p.span(t.place), Value: int64(0)}}
		x := p.parseNested(t.place, p.parseSigned)
		at := place{t.start, x.end}
		return operand{place: at, x: p.arithmetic(t, at, zero, x)}
	}
	before := len(p.found)
	at := place{t.start, p.parseNested(t.place, p.parseSigned).end}
	p.found = p.found[:before]
	p.unsupported(at, "a value cannot have %q before it", t.text).WithHint("only a minus can be before a number")

	return operand{place: at, x: p.unknownValue(at)}
}

// parseParentheses parses an expression or a list after an opening parenthesis.
func (p *parser) parseParentheses(open token) operand {
	if p.peek().hasText(")") {
		return p.parseList(open, ")", nil)
	}
	v := p.parseExpression()
	if p.accept(",") {
		return p.parseList(open, ")", []ir.Expression{p.toExpression(v)})
	}
	v.place = place{open.start, p.expect(")").end}

	return v
}

// parseList parses the remaining items of a list up to the closing bracket. "" means the end.
func (p *parser) parseList(open token, closing string, items []ir.Expression) operand {
	for !p.broken && p.peek().text != closing {
		items = append(items, p.toExpression(p.parseExpression()))
		if !p.accept(",") {
			break
		}
	}
	at := place{open.start, p.peek().end}
	if closing == "" {
		at.end = p.tokens[p.i-1].end
	} else {
		p.expect(closing)
	}

	return operand{place: at, x: &ir.Tuple{Span: p.span(at), Items: items}}
}
