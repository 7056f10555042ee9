package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parseFormula parses an expression, or returns nil.
func (r *reader) parseFormula() ir.Expression {
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
	x := &ir.Logic{Or: word == "or", X: []ir.Expression{p.toExpression(first)}}
	for p.accept(word) {
		v := read()
		x.X, at.end = append(x.X, p.toExpression(v)), v.end
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

	return operand{place: at, x: &ir.Not{Span: p.span(at), X: p.toExpression(v)}}
}

// comparisons are the operators of which there may be one between `and`, `or` and `not`.
var comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}

// parseComparison parses `x == y`, `x in y` and similar comparisons.
func (p *parser) parseComparison() operand {
	isNegated := isAfter(p.tokens, p.i, "not")
	operands := []operand{p.parseTerm()}
	var signs []token
	for slices.ContainsFunc(comparisons, p.peek().hasText) {
		signs = append(signs, p.next())
		operands = append(operands, p.parseTerm())
	}
	x, y := operands[0], operands[len(operands)-1]
	at := place{x.start, y.end}
	switch {
	case len(signs) == 0:
		return x
	case p.broken:
		return operand{place: at, x: p.unknownValue(at)}
	case len(signs) > 1:
		p.reportChain(operands, signs, isNegated)
		return operand{place: at, x: p.unknownValue(at)}
	}
	if sign := signs[0].text; strings.HasSuffix(sign, "in") {
		c := &ir.Contains{Span: p.span(at), X: p.toExpression(x), Y: p.toExpression(y), Not: sign == "not in"}
		p.checkContains(c)
		return operand{place: at, x: c}
	}
	c := &ir.Compare{Span: p.span(at), Op: ir.CompareOp(signs[0].text), X: p.toExpression(x), Y: p.toExpression(y)}
	p.checkCompare(c, x.place, y.place)

	return operand{place: at, x: c}
}

// reportChain reports a chain of comparisons. The fix repeats each inner operand, with `and` in
// between.
func (p *parser) reportChain(operands []operand, signs []token, isNegated bool) {
	var edits []edit
	var pairs []string
	for i, sign := range signs {
		left, right := operands[i].place, operands[i+1].place
		if i > 0 {
			edits = append(edits, edit{place{left.end, left.end}, " and " + p.text.Value[left.start:left.end]})
		}
		pairs = append(pairs, p.sourceText(left)+" "+sign.text+" "+p.sourceText(right))
	}

	at := place{operands[0].start, operands[len(operands)-1].end}
	instead := strings.Join(pairs, " and ")
	if isNegated {
		instead = "(" + instead + ")"
		edits = append([]edit{{place{at.start, at.start}, "("}}, append(edits, edit{place{at.end, at.end}, ")"})...)
	}
	d := p.reportGrammar(at, "comparisons cannot be chained").WithHint("write %s", instead)
	p.addFix(d, "write "+instead, edits...)
}

// arithmetic are operators of other languages.
var arithmetic = []string{"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"}

// parseTerm parses an operand and reports arithmetic with it. It reports nothing else in the
// arithmetic.
func (p *parser) parseTerm() operand {
	before := len(p.found)
	v := p.parseSigned()
	computes := func() bool { return !p.broken && slices.ContainsFunc(arithmetic, p.peek().hasText) }
	if !computes() {
		return v
	}
	p.found = p.found[:before]
	if !p.reportHyphenated(p.i) {
		p.unsupported(p.peek().place, "an expression cannot do arithmetic").WithHint("%s", p.vocabulary().elsewhere)
	}
	before = len(p.found)
	for computes() {
		p.i++
		v.end = p.parseSigned().end
		p.found = p.found[:before]
	}

	return operand{place: v.place, x: p.unknownValue(v.place)}
}

// parseSigned parses an operand that may have a sign. Only a number may.
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
	before := len(p.found)
	at := place{t.start, p.parseNested(t.place, p.parseSigned).end}
	p.found = p.found[:before]
	p.unsupported(at, "only a number can have a sign, a minus, before it").WithHint("%s", p.vocabulary().elsewhere)

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
