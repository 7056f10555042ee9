package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// RoutingError reports ignored results of generated functions that report a routing error.
var RoutingError = newAnalyzer("routingerror", func(pass *analysis.Pass, known *generatedTypes) {
	for _, file := range handwrittenFiles(pass) {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, call := range ignoredCalls(n) {
				if lost := findIgnoredResult(pass, known, call); lost != nil {
					pass.ReportRangef(call, "the %s of %s is ignored: nothing else says %s",
						lost.result, types.ExprString(call.Fun), lost.says)
				}
			}

			return true
		})
	}
})

// ignoredCalls returns the calls in a statement or a declaration whose last result is ignored.
func ignoredCalls(n ast.Node) []*ast.CallExpr {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return asCall(n.X)
	case *ast.GoStmt:
		return []*ast.CallExpr{n.Call}
	case *ast.DeferStmt:
		return []*ast.CallExpr{n.Call}
	case *ast.AssignStmt:
		return blankCalls(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}

		return blankCalls(names, n.Values)
	}

	return nil
}

// blankCalls returns the calls among values whose last result is assigned to _.
func blankCalls(to, values []ast.Expr) []*ast.CallExpr {
	var calls []*ast.CallExpr
	for i, value := range values {
		if len(values) == 1 {
			i = len(to) - 1 // the last of all results of the call
		}
		if id, ok := to[i].(*ast.Ident); ok && id.Name == "_" {
			calls = append(calls, asCall(value)...)
		}
	}

	return calls
}

// asCall returns expr if it is a call.
func asCall(expr ast.Expr) []*ast.CallExpr {
	if call, ok := ast.Unparen(expr).(*ast.CallExpr); ok {
		return []*ast.CallExpr{call}
	}

	return nil
}

// ignoredResult describes the last result of a call, and its meaning.
type ignoredResult struct{ result, says string }

var (
	lostEnd  = &ignoredResult{"error", "why the run has no result"}
	lostName = &ignoredResult{"error", "that the machine has no such name"}
	lostRow  = &ignoredResult{"ok", "that the state has no row for the key"}
)

// findIgnoredResult describes the last result of a call, nil if this analyzer does not know the
// call.
func findIgnoredResult(pass *analysis.Pass, machines *generatedTypes, call *ast.CallExpr) *ignoredResult {
	signature, ok := pass.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return nil // a conversion, or a built-in function
	}
	if isRunFunction(signature) {
		return lostEnd
	}

	switch f, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func); {
	case !ok:
	case isParseFunction(machines, f), f.Name() == "UnmarshalText" && isMethod(machines, f):
		return lostName
	case f.Name() == "Next" && isMethod(machines, f):
		return lostRow
	}

	return nil
}

// isRunFunction reports whether a function returns the end of a run: a runtime.Finish, Result or
// Keyed, and an error.
func isRunFunction(signature *types.Signature) bool {
	results := signature.Results()
	if results.Len() != 2 || !isError(results.At(1).Type()) {
		return false
	}
	finish, ok := types.Unalias(results.At(0).Type()).(*types.Named)

	return ok && slices.ContainsFunc([]string{"Finish", "Result", "Keyed"}, func(name string) bool { return isRuntime(finish.Obj(), name) })
}

// isParseFunction reports whether f is the generated function that finds a state by its name.
func isParseFunction(machines *generatedTypes, f *types.Func) bool {
	results := f.Signature().Results()
	if results.Len() != 2 || f.Signature().Recv() != nil {
		return false
	}
	name, machine := machines.machineType(results.At(0).Type())

	return machine != nil && f.Pkg() == name.Pkg() && f.Name() == "Parse"+name.Name()
}

// isMethod reports whether f is a method of a type of states or keys.
func isMethod(machines *generatedTypes, f *types.Func) bool {
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
