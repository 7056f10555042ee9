package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// RoutingError reports ignored results of generated functions that report a routing error.
var RoutingError = analyzer("routingerror", func(pass *analysis.Pass, known *known) {
	for _, file := range written(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, call := range ignoring(n) {
				if lost := lostBy(pass, known, call); lost != nil {
					pass.ReportRangef(call, "the %s of %s is ignored: nothing else says %s",
						lost.result, types.ExprString(call.Fun), lost.says)
				}
			}

			return true
		})
	}
})

// ignoring returns the calls of a statement or a declaration whose last result is not taken.
func ignoring(n ast.Node) []*ast.CallExpr {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return callsOf(n.X)
	case *ast.GoStmt:
		return []*ast.CallExpr{n.Call}
	case *ast.DeferStmt:
		return []*ast.CallExpr{n.Call}
	case *ast.AssignStmt:
		return blanks(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}

		return blanks(names, n.Values)
	}

	return nil
}

// blanks returns the calls among values whose last result goes to _.
func blanks(to, values []ast.Expr) []*ast.CallExpr {
	var calls []*ast.CallExpr
	for i, value := range values {
		if len(values) == 1 {
			i = len(to) - 1 // of all results of the call, the last
		}
		if id, ok := to[i].(*ast.Ident); ok && id.Name == "_" {
			calls = append(calls, callsOf(value)...)
		}
	}

	return calls
}

// callsOf returns expr if it is a call.
func callsOf(expr ast.Expr) []*ast.CallExpr {
	if call, ok := ast.Unparen(expr).(*ast.CallExpr); ok {
		return []*ast.CallExpr{call}
	}

	return nil
}

// lost says what is ignored: the last result of a call, and what it alone says.
type lost struct{ result, says string }

var (
	lostEnd  = &lost{"error", "why the run has no result"}
	lostName = &lost{"error", "that the machine has no such name"}
	lostRow  = &lost{"ok", "that the state has no row for the key"}
)

// lostBy says what is lost without the last result of a call; nil for the calls that this analyzer
// does not know.
func lostBy(pass *analysis.Pass, machines *known, call *ast.CallExpr) *lost {
	signature, ok := pass.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return nil // a conversion, or a built-in function
	}
	if endsRun(signature) {
		return lostEnd
	}

	switch f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func); {
	case !ok:
	case isParse(machines, f), f.Name() == "UnmarshalText" && isMethod(machines, f):
		return lostName
	case f.Name() == "Next" && isMethod(machines, f):
		return lostRow
	}

	return nil
}

// endsRun reports whether a function returns what a run ended with: a runtime.Finish, Result or
// Keyed, and an error.
func endsRun(signature *types.Signature) bool {
	results := signature.Results()
	if results.Len() != 2 || !isError(results.At(1).Type()) {
		return false
	}
	finish, ok := types.Unalias(results.At(0).Type()).(*types.Named)

	return ok && slices.ContainsFunc([]string{"Finish", "Result", "Keyed"}, func(name string) bool { return isRuntime(finish.Obj(), name) })
}

// isParse reports whether f is the generated function that finds a state by its name.
func isParse(machines *known, f *types.Func) bool {
	results := f.Signature().Results()
	if results.Len() != 2 || f.Signature().Recv() != nil {
		return false
	}
	name, machine := machines.machineType(results.At(0).Type())

	return machine != nil && f.Pkg() == name.Pkg() && f.Name() == "Parse"+name.Name()
}

// isMethod reports whether f is a method of a type of states or keys.
func isMethod(machines *known, f *types.Func) bool {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return false
	}
	t := receiver.Type()
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	_, machine := machines.machineType(t)

	return machine != nil
}
