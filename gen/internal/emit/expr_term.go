package emit

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/dave/jennifer/jen"
)

// term is an expression in Go.
type term struct {
	code *jen.Statement
	// prec is how tightly its outermost operator binds.
	prec precedence
	// implies are pointers that are not nil where a condition holds, denies those that are not
	// where it does not hold.
	implies, denies []string
}

// precedence is how tightly an operator binds.
type precedence uint8

const (
	orPrecedence precedence = iota + 1
	andPrecedence
	comparePrecedence
	unaryPrecedence
	primary
)

// alone returns a term that needs no parentheses anywhere.
func alone(code *jen.Statement) term { return term{code: code, prec: primary} }

// comparison returns a term that compares two operands.
func comparison(code *jen.Statement) term { return term{code: code, prec: comparePrecedence} }

// in returns the term as an operand, in parentheses if it binds less tightly than it must.
func (t term) in(least precedence) *jen.Statement {
	if t.prec < least {
		return jen.Parens(t.code)
	}

	return t.code
}

func negated(t term) term {
	return term{code: jen.Op("!").Add(t.in(unaryPrecedence)), prec: unaryPrecedence, implies: t.denies, denies: t.implies}
}

func negatedIf(not bool, t term) term {
	if not {
		return negated(t)
	}

	return t
}

// where returns a condition that holds only where no pointer is nil, which it asks before.
func where(pointers []string, t term) term {
	if len(pointers) > 0 {
		t.denies = nil
	}
	t.implies = union(pointers, t.implies)

	return t.behind(pointers, "!=", "&&", andPrecedence)
}

// behind returns a condition behind a comparison of each pointer with nil.
func (t term) behind(pointers []string, compare, join string, prec precedence) term {
	for _, pointer := range slices.Backward(pointers) {
		t.code, t.prec = jen.Id(pointer).Op(compare).Nil().Op(join).Add(t.in(prec)), prec
	}

	return t
}

// orMissing returns a condition that holds too where a pointer is nil, which it asks before.
func orMissing(pointers []string, t term) term {
	if len(pointers) > 0 {
		t.implies = nil
	}
	t.denies = union(pointers, t.denies)

	return t.behind(pointers, "==", "||", orPrecedence)
}

// there returns the condition that no pointer is nil.
func there(pointers []string) term {
	last := len(pointers) - 1

	return where(pointers[:last], term{
		code: jen.Id(pointers[last]).Op("!=").Nil(), prec: comparePrecedence, implies: pointers[last:],
	})
}

// missing returns the condition that a pointer is nil.
func missing(pointers []string) term {
	last := len(pointers) - 1

	return orMissing(pointers[:last], term{
		code: jen.Id(pointers[last]).Op("==").Nil(), prec: comparePrecedence, denies: pointers[last:],
	})
}

// union returns pointers, and those of more that are not among them.
func union(pointers, more []string) []string {
	return ir.Unique(slices.Concat(pointers, more))
}

// unknown returns the pointers that are not known not to be nil.
func (v *view) unknown(pointers []string) []string {
	return slices.DeleteFunc(slices.Clone(pointers), func(p string) bool { return slices.Contains(v.known, p) })
}
