package emit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/dave/jennifer/jen"
)

// isSuspect reports whether go vet reports a condition in Go: `a && a`, `x == 1 && x == 2`, or `x
// != 1 || x != 2`.
func isSuspect(condition *jen.Statement) bool {
	tree, err := parser.ParseExpr(condition.GoString())
	if err != nil {
		return false
	}
	root, isBinary := tree.(*ast.BinaryExpr)

	return isBinary && areSuspect(splitOperands(tree, root.Op), root.Op)
}

// splitOperands returns the operands of an operator, without parentheses.
func splitOperands(x ast.Expr, op token.Token) []ast.Expr {
	x = ast.Unparen(x)
	if binary, isBinary := x.(*ast.BinaryExpr); isBinary && binary.Op == op {
		return append(splitOperands(binary.X, op), splitOperands(binary.Y, op)...)
	}

	return []ast.Expr{x}
}

// areSuspect reports whether two of the operands are equal, or compare the same expression with two
// values.
func areSuspect(operands []ast.Expr, op token.Token) bool {
	compares := map[token.Token]token.Token{token.LAND: token.EQL, token.LOR: token.NEQ}[op]
	seen, compared := map[string]bool{}, map[string]bool{}
	for _, operand := range operands {
		text := types.ExprString(operand)
		if seen[text] {
			return true
		}
		seen[text] = true
		binary, isBinary := operand.(*ast.BinaryExpr)
		if !isBinary || binary.Op != compares {
			continue
		}
		x, y := types.ExprString(binary.X), types.ExprString(binary.Y)
		if y == "nil" {
			continue
		}
		if compared[x] || compared[y] {
			return true
		}
		compared[x], compared[y] = true, true
	}

	return false
}
