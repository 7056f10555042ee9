package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// NotImplemented reports methods of Tools, Guards and Funcs that are not implemented yet.
var NotImplemented = analyzer("notimplemented", func(pass *analysis.Pass, known *known) {
	methods := methodsOfTaken(pass, known)
	for _, file := range written(pass) {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && !strings.HasSuffix(pass.Fset.File(file.FileStart).Name(), "_test.go") {
				checkMethod(pass, methods, f)
			}
		}
	}
})

// methodsOfTaken returns the methods by which types of this package implement what a generated New
// takes, and the interface that they implement.
func methodsOfTaken(pass *analysis.Pass, known *known) map[*types.Func]*types.TypeName {
	methods := map[*types.Func]*types.TypeName{}
	for _, wanted := range known.interfaces {
		face := wanted.Type().Underlying().(*types.Interface)
		for _, object := range pass.TypesInfo.Defs {
			name, ok := object.(*types.TypeName)
			if !ok {
				continue
			}
			if missing, _ := types.MissingMethod(types.NewPointer(name.Type()), face, true); missing != nil {
				continue // neither the type, which may be generic, nor the pointer to it implements face
			}
			for method := range face.Methods() {
				found, _, _ := types.LookupFieldOrMethod(name.Type(), true, method.Pkg(), method.Name())
				if f, ok := found.(*types.Func); ok {
					methods[f.Origin()] = wanted
				}
			}
		}
	}

	return methods
}

// checkMethod reports f if it is among the methods and returns runtime.ErrNotImplemented.
func checkMethod(pass *analysis.Pass, methods map[*types.Func]*types.TypeName, f *ast.FuncDecl) {
	method, _ := pass.TypesInfo.Defs[f.Name].(*types.Func)
	wanted := methods[method]
	if wanted == nil {
		return
	}
	if at := returnsUnwritten(pass.TypesInfo, f.Body); at != nil {
		pass.ReportRangef(at, "method %s of %s is not written yet: runtime.ErrNotImplemented ends the run that calls it",
			f.Name.Name, shown(pass, wanted.Pkg(), wanted.Name()))
	}
}

// isRuntime reports whether an object is the one that package runtime declares with this name.
func isRuntime(object types.Object, name string) bool {
	return object != nil && object.Pkg() != nil && object.Pkg().Path() == runtimePath && object.Name() == name
}

// returnsUnwritten returns the first place where a function with this body returns
// runtime.ErrNotImplemented as its last result, as it is or wrapped; nil without one.
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

// unwrittenIn returns the place in expr that names the error which expr is, or wraps; nil if it is
// another one.
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

// wraps reports whether a call makes an error of those among its arguments: a function of any
// number of arguments, such as fmt.Errorf and errors.Join, or of one error. One of two errors may
// compare them.
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
