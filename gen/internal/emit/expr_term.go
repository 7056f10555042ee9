package emit

import "github.com/dave/jennifer/jen"

// term is an expression in Go.
type term struct {
	code *jen.Statement
	// prec is how tightly its outermost operator binds.
	prec precedence
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
func alone(code *jen.Statement) term { return term{code, primary} }

// comparison returns a term that compares two operands.
func comparison(code *jen.Statement) term { return term{code, comparePrecedence} }

// in returns the term as an operand, in parentheses if it binds less tightly than it must.
func (t term) in(least precedence) *jen.Statement {
	if t.prec < least {
		return jen.Parens(t.code)
	}

	return t.code
}

func negatedIf(not bool, t term) term {
	if not {
		return term{jen.Op("!").Add(t.in(unaryPrecedence)), unaryPrecedence}
	}

	return t
}
