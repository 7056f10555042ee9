package emit

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/dave/jennifer/jen"
)

// term is an expression in Go.
type term struct {
	code *jen.Statement
	// prec is the precedence of its outermost operator.
	prec precedence
	// implies are the pointers that are not nil if the condition is true, denies the pointers that
	// are not nil if it is false.
	implies, denies []string
}

// precedence is the binding strength of an operator.
type precedence uint8

const (
	orPrecedence precedence = iota + 1
	andPrecedence
	comparePrecedence
	sumPrecedence
	productPrecedence
	unaryPrecedence
	primary
)

// primaryTerm returns a term that never needs parentheses.
func primaryTerm(code *jen.Statement) term { return term{code: code, prec: primary} }

// comparisonTerm returns a term that compares two operands.
func comparisonTerm(code *jen.Statement) term { return term{code: code, prec: comparePrecedence} }

// operand returns the term as an operand, in parentheses if its precedence is too low.
func (t term) operand(least precedence) *jen.Statement {
	if t.prec < least {
		return jen.Parens(t.code)
	}

	return t.code
}

func negateTerm(t term) term {
	return term{code: jen.Op("!").Add(t.operand(unaryPrecedence)), prec: unaryPrecedence, implies: t.denies, denies: t.implies}
}

func negateIf(not bool, t term) term {
	if not {
		return negateTerm(t)
	}

	return t
}

// whereNotNil returns a condition that is true only if no pointer is nil, which it tests first.
func whereNotNil(pointers []string, t term) term {
	if len(pointers) > 0 {
		t.denies = nil
	}
	t.implies = mergePointers(pointers, t.implies)

	return t.afterPointers(pointers, "!=", "&&", andPrecedence)
}

// afterPointers returns a condition after comparisons of each pointer with nil.
func (t term) afterPointers(pointers []string, compare, join string, prec precedence) term {
	for _, pointer := range slices.Backward(pointers) {
		t.code, t.prec = jen.Id(pointer).Op(compare).Nil().Op(join).Add(t.operand(prec)), prec
	}

	return t
}

// orNil returns a condition that is also true if a pointer is nil, which it tests first.
func orNil(pointers []string, t term) term {
	if len(pointers) > 0 {
		t.implies = nil
	}
	t.denies = mergePointers(pointers, t.denies)

	return t.afterPointers(pointers, "==", "||", orPrecedence)
}

// allNotNil returns the condition that no pointer is nil.
func allNotNil(pointers []string) term {
	last := len(pointers) - 1

	return whereNotNil(pointers[:last], term{
		code: jen.Id(pointers[last]).Op("!=").Nil(), prec: comparePrecedence, implies: pointers[last:],
	})
}

// anyNil returns the condition that a pointer is nil.
func anyNil(pointers []string) term {
	last := len(pointers) - 1

	return orNil(pointers[:last], term{
		code: jen.Id(pointers[last]).Op("==").Nil(), prec: comparePrecedence, denies: pointers[last:],
	})
}

// mergePointers returns pointers, and the additional ones in more.
func mergePointers(pointers, more []string) []string {
	return ir.Unique(slices.Concat(pointers, more))
}

// unknownPointers returns the pointers that may be nil.
func (v *view) unknownPointers(pointers []string) []string {
	return slices.DeleteFunc(slices.Clone(pointers), func(p string) bool { return slices.Contains(v.known, p) })
}
