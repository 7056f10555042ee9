package expr

import (
	"slices"
	"strings"
)

// comparisons are the operators of which an operand has one at most.
var comparisons = map[string]bool{
	"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true, "in": true, "not in": true,
}

// chain is a part of an expression between brackets, commas, `and`, `or` and `not`.
type chain struct {
	operands  []place
	operators []token
	negated   bool // `not` stands before it
}

// isComplete reports whether no operand is missing; else the parser says where.
func (c chain) isComplete() bool {
	return !slices.ContainsFunc(c.operands, func(p place) bool { return p.start == p.end })
}

// chained reports comparisons of more than two operands, and reports whether there are none.
func (r *reader) chained(tokens []token) bool {
	none := true
	for _, c := range chains(tokens) {
		if len(c.operators) > 1 && c.isComplete() {
			r.unchain(c)
			none = false
		}
	}

	return none
}

// unchain reports a chain: each inner operand is written twice, with `and` between.
func (r *reader) unchain(c chain) {
	var edits []edit
	var b strings.Builder
	for i, op := range c.operators {
		left, right := c.operands[i], c.operands[i+1]
		if i > 0 {
			b.WriteString(" and ")
			edits = append(edits, edit{place{left.end, left.end}, " and " + r.text.Value[left.start:left.end]})
		}
		b.WriteString(r.written(left) + " " + op.text + " " + r.written(right))
	}

	at := place{c.operands[0].start, c.operands[len(c.operands)-1].end}
	instead := b.String()
	if c.negated {
		instead = "(" + instead + ")"
		edits = append([]edit{{place{at.start, at.start}, "("}}, append(edits, edit{place{at.end, at.end}, ")"})...)
	}
	d := r.unsupported(at, "comparisons are not chained").WithHint("write %s", instead)
	r.mend(d, "write "+instead, edits...)
}

// chains cuts an expression into chains, at every depth of brackets.
func chains(tokens []token) []chain {
	var all []chain
	type level struct {
		chain
		last place // from the operand's first token to its last so far
	}
	levels := []level{{}}
	top := func() *level { return &levels[len(levels)-1] }
	finish := func(negated bool) {
		l := top()
		l.operands = append(l.operands, l.last)
		all = append(all, l.chain)
		*l = level{chain: chain{negated: negated}}
	}
	extend := func(at place) {
		l := top()
		if l.last == (place{}) {
			l.last = at
		}
		l.last.end = at.end
	}

	for _, t := range tokens {
		switch {
		case t.is("(") || t.is("["):
			extend(t.place)
			levels = append(levels, level{})
		case t.is(")") || t.is("]"):
			finish(false)
			levels = levels[:len(levels)-1]
			extend(t.place)
		case t.is("and") || t.is("or") || t.is(","):
			finish(false)
		case t.is("not"):
			finish(true)
		case t.kind != quote && comparisons[t.text]:
			l := top()
			l.operands, l.operators, l.last = append(l.operands, l.last), append(l.operators, t), place{}
		default:
			extend(t.place)
		}
	}
	for len(levels) > 0 {
		finish(false)
		levels = levels[:len(levels)-1]
	}

	return all
}
