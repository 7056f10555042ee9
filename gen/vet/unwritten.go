package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// unwritten knows which expressions of a package are runtime.ErrNotImplemented: as it is, wrapped, or through a variable.
type unwritten struct {
	pass *analysis.Pass
	// values are the expressions that a variable gets in the whole package; nil stands for one that is not known.
	values map[types.Object][]ast.Expr
}

func newUnwritten(pass *analysis.Pass) unwritten {
	u := unwritten{pass, map[types.Object][]ast.Expr{}}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					u.assign(to, n.Rhs, i, len(n.Lhs))
				}
			case *ast.ValueSpec:
				for i, to := range n.Names {
					if len(n.Values) > 0 {
						u.assign(to, n.Values, i, len(n.Names))
					}
				}
			case *ast.RangeStmt:
				u.assign(n.Key, nil, 0, 0)
				u.assign(n.Value, nil, 0, 0)
			case *ast.UnaryExpr:
				u.assign(n.X, nil, 0, 0) // whoever has its address may assign to it
			}

			return true
		})
	}

	return u
}

// assign notes that a variable gets the i-th of values, if there is one for each of the variables.
func (u unwritten) assign(to ast.Expr, values []ast.Expr, i, variables int) {
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	var value ast.Expr
	if len(values) == variables && i < len(values) {
		value = values[i]
	}
	object := u.pass.TypesInfo.ObjectOf(id)
	u.values[object] = append(u.values[object], value)
}

// returned returns the first place where a function with this body returns the error as its last result.
func (u unwritten) returned(body *ast.BlockStmt, result *types.Var) ast.Node {
	var place ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its returns are its own
		case *ast.ReturnStmt:
			switch last := len(n.Results) - 1; {
			case place != nil:
			case last >= 0:
				place = u.find(n.Results[last])
			case u.holds(result):
				place = n
			}
		}

		return place == nil
	})

	return place
}

// find returns the place in expr that names the error which expr is, or wraps; nil if it is another one.
func (u unwritten) find(expr ast.Expr) ast.Node {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		if object := u.pass.TypesInfo.Uses[expr]; isRuntime(object, "ErrNotImplemented") || u.holds(object) {
			return expr
		}
	case *ast.SelectorExpr:
		if isRuntime(u.pass.TypesInfo.Uses[expr.Sel], "ErrNotImplemented") {
			return expr.Sel
		}
	case *ast.UnaryExpr:
		return u.find(expr.X)
	case *ast.CompositeLit:
		return u.findIn(expr.Elts)
	case *ast.KeyValueExpr:
		return u.find(expr.Value)
	case *ast.CallExpr:
		if u.wraps(expr) {
			return u.findIn(expr.Args)
		}
	}

	return nil
}

func (u unwritten) findIn(exprs []ast.Expr) ast.Node {
	for _, expr := range exprs {
		if place := u.find(expr); place != nil {
			return place
		}
	}

	return nil
}

// holds reports whether the error is the only value that a variable ever gets.
func (u unwritten) holds(variable types.Object) bool {
	values := u.values[variable]
	if len(values) != 1 || values[0] == nil {
		return false
	}
	u.values[variable] = nil // variables that get their values from each other hold nothing
	defer func() { u.values[variable] = values }()

	return u.find(values[0]) != nil
}

// wraps reports whether a call makes an error of those among its arguments: a function of any number of arguments, such as
// fmt.Errorf and errors.Join, or of one error. One of two errors may compare them.
func (u unwritten) wraps(call *ast.CallExpr) bool {
	signature, ok := u.pass.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok || !isError(u.pass.TypesInfo.TypeOf(call)) {
		return false
	}
	errors := 0
	for _, arg := range call.Args {
		if isError(u.pass.TypesInfo.TypeOf(arg)) {
			errors++
		}
	}

	return errors == 1 || signature.Variadic()
}

// isError reports whether t is the type error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
