package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// formula reads an expression; nil if it cannot be read.
func (r *reader) formula() ir.Expression {
	p := &parser{reader: r, tokens: tokens(r.text.Value, place{0, len(r.text.Value)}, false)}
	if len(p.tokens) == 0 {
		r.unsupported(place{0, len(r.text.Value)}, "the expression is empty")
		return nil
	}
	if r.scope.Machine && !p.guardNames() || !p.foreign() {
		return nil
	}
	first := p.expression()
	root := p.value(first)
	if p.accept(",") {
		root = p.list(p.tokens[0], "", []ir.Expression{root}).x
	}
	if p.i < len(p.tokens) {
		p.unexpected()
	}
	if len(p.grammar) > 0 {
		r.found = p.grammar
	}

	return root
}

// unknown means what was reported: nothing is known of its value.
func (r *reader) unknown(at place) ir.Expression { return &ir.Access{Span: r.span(at)} }

// expression reads `a or b`.
func (p *parser) expression() operand { return p.logic("or", p.all) }

func (p *parser) all() operand { return p.logic("and", p.negation) }

// logic reads what a word joins. What is in parentheses stays together.
func (p *parser) logic(word string, read func() operand) operand {
	first := read()
	if !p.peek().is(word) {
		return first
	}
	at := first.place
	x := &ir.Logic{Or: word == "or", X: []ir.Expression{p.value(first)}}
	for p.accept(word) {
		v := read()
		x.X, at.end = append(x.X, p.value(v)), v.end
	}
	x.Span = p.span(at)

	return operand{place: at, x: x}
}

// negation reads `not x`.
func (p *parser) negation() operand {
	t := p.peek()
	if !p.accept("not") {
		return p.comparison()
	}
	v := p.nested(t.place, p.negation)
	at := place{t.start, v.end}

	return operand{place: at, x: &ir.Not{Span: p.span(at), X: p.value(v)}}
}

// comparisons are the operators of which an expression between `and`, `or` and `not` has one at most.
var comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}

// comparison reads `x == y`, `x in y` and the like.
func (p *parser) comparison() operand {
	isNegated := follows(p.tokens, p.i, "not")
	operands := []operand{p.computed()}
	var signs []token
	for slices.ContainsFunc(comparisons, p.peek().is) {
		signs = append(signs, p.next())
		operands = append(operands, p.computed())
	}
	x, y := operands[0], operands[len(operands)-1]
	at := place{x.start, y.end}
	switch {
	case len(signs) == 0:
		return x
	case p.broken:
		return operand{place: at, x: p.unknown(at)}
	case len(signs) > 1:
		p.unchain(operands, signs, isNegated)
		return operand{place: at, x: p.unknown(at)}
	}
	if sign := signs[0].text; strings.HasSuffix(sign, "in") {
		c := &ir.Contains{Span: p.span(at), X: p.value(x), Y: p.value(y), Not: sign == "not in"}
		p.checkContains(c)
		return operand{place: at, x: c}
	}
	c := &ir.Compare{Span: p.span(at), Op: ir.CompareOp(signs[0].text), X: p.value(x), Y: p.value(y)}
	p.checkCompare(c, x.place, y.place)

	return operand{place: at, x: c}
}

// unchain reports a chain of comparisons: each inner operand is written twice, with `and` between.
func (p *parser) unchain(operands []operand, signs []token, isNegated bool) {
	var edits []edit
	var pairs []string
	for i, sign := range signs {
		left, right := operands[i].place, operands[i+1].place
		if i > 0 {
			edits = append(edits, edit{place{left.end, left.end}, " and " + p.text.Value[left.start:left.end]})
		}
		pairs = append(pairs, p.written(left)+" "+sign.text+" "+p.written(right))
	}

	at := place{operands[0].start, operands[len(operands)-1].end}
	instead := strings.Join(pairs, " and ")
	if isNegated {
		instead = "(" + instead + ")"
		edits = append([]edit{{place{at.start, at.start}, "("}}, append(edits, edit{place{at.end, at.end}, ")"})...)
	}
	d := p.misread(at, "comparisons cannot be chained").WithHint("write %s", instead)
	p.fix(d, "write "+instead, edits...)
}

// arithmetic are the operators that the language does not have.
var arithmetic = []string{"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"}

// computed reads an operand, and reports what computes with it. Nothing else in what computes is reported.
func (p *parser) computed() operand {
	before := len(p.found)
	v := p.signed()
	computes := func() bool { return !p.broken && slices.ContainsFunc(arithmetic, p.peek().is) }
	if !computes() {
		return v
	}
	p.found = p.found[:before]
	if !p.hyphenated(p.i) {
		p.unsupported(p.peek().place, "an expression cannot do arithmetic").WithHint("%s", p.words().elsewhere)
	}
	before = len(p.found)
	for computes() {
		p.i++
		v.end = p.signed().end
		p.found = p.found[:before]
	}

	return operand{place: v.place, x: p.unknown(v.place)}
}

// signed reads an operand that may have a sign, which only a number has.
func (p *parser) signed() operand {
	t := p.peek()
	if !t.is("-") && !t.is("+") && !t.is("~") {
		return p.operand()
	}
	p.i++
	if n := p.peek(); t.is("-") && n.kind == number {
		p.i++
		at := place{t.start, n.end}
		return operand{place: at, x: p.literal("-"+n.text, at)}
	}
	before := len(p.found)
	at := place{t.start, p.nested(t.place, p.signed).end}
	p.found = p.found[:before]
	p.unsupported(at, "only a number can have a sign, a minus, before it").WithHint("%s", p.words().elsewhere)

	return operand{place: at, x: p.unknown(at)}
}

// parentheses reads what is behind an opening one: an expression or a list.
func (p *parser) parentheses(open token) operand {
	if p.peek().is(")") {
		return p.list(open, ")", nil)
	}
	v := p.expression()
	if p.accept(",") {
		return p.list(open, ")", []ir.Expression{p.value(v)})
	}
	v.place = place{open.start, p.expect(")").end}

	return v
}

// list reads the other items of a list, up to the bracket that closes it; "" is the end.
func (p *parser) list(open token, closing string, items []ir.Expression) operand {
	for !p.broken && p.peek().text != closing {
		items = append(items, p.value(p.expression()))
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
