package vet

import (
	"go/ast"
	"go/types"
)

// returnsUnwritten returns the first place where a function with this body returns runtime.ErrNotImplemented as its last result, as
// it is or wrapped; nil without one.
func returnsUnwritten(info *types.Info, body *ast.BlockStmt) ast.Node {
	var place ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its returns are its own
		case *ast.ReturnStmt:
			if last := len(n.Results) - 1; last >= 0 && place == nil {
				place = unwrittenIn(info, n.Results[last])
			}
		}

		return place == nil
	})

	return place
}

// unwrittenIn returns the place in expr that names the error which expr is, or wraps; nil if it is another one.
func unwrittenIn(info *types.Info, expr ast.Expr) ast.Node {
	var in []ast.Expr
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		if isRuntime(info.Uses[expr], "ErrNotImplemented") {
			return expr
		}
	case *ast.SelectorExpr:
		if isRuntime(info.Uses[expr.Sel], "ErrNotImplemented") {
			return expr.Sel
		}
	case *ast.UnaryExpr:
		in = []ast.Expr{expr.X}
	case *ast.CompositeLit:
		in = expr.Elts
	case *ast.KeyValueExpr:
		in = []ast.Expr{expr.Value}
	case *ast.CallExpr:
		if wraps(info, expr) {
			in = expr.Args
		}
	}
	for _, expr := range in {
		if place := unwrittenIn(info, expr); place != nil {
			return place
		}
	}

	return nil
}

// wraps reports whether a call makes an error of those among its arguments: a function of any number of arguments, such as
// fmt.Errorf and errors.Join, or of one error. One of two errors may compare them.
func wraps(info *types.Info, call *ast.CallExpr) bool {
	signature, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !isError(info.TypeOf(call)) {
		return false
	}
	errors := 0
	for _, arg := range call.Args {
		if isError(info.TypeOf(arg)) {
			errors++
		}
	}

	return errors == 1 || signature.Variadic()
}

// isError reports whether t is the type error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
