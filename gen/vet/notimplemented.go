package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// NotImplemented reports methods of Tools, Guards and Funcs that are not implemented yet.
var NotImplemented = newAnalyzer("notimplemented", func(pass *analysis.Pass, known *generatedTypes) {
	methods := methodsToImplement(pass, known)
	for _, file := range handwrittenFiles(pass) {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && !strings.HasSuffix(pass.Fset.File(file.FileStart).Name(), "_test.go") {
				checkMethod(pass, methods, f)
			}
		}
	}
})

// methodsToImplement returns the methods by which types of this package implement interfaces of a
// generated New, with the interface.
func methodsToImplement(pass *analysis.Pass, known *generatedTypes) map[*types.Func]*types.TypeName {
	methods := map[*types.Func]*types.TypeName{}
	for _, wanted := range known.interfaces {
		face := wanted.Type().Underlying().(*types.Interface)
		for _, object := range pass.TypesInfo.Defs {
			name, ok := object.(*types.TypeName)
			if !ok {
				continue
			}
			if missing, _ := types.MissingMethod(types.NewPointer(name.Type()), face, true); missing != nil {
				continue // neither the type, which may be generic, nor its pointer implements face
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
	if at := findUnimplementedReturn(pass.TypesInfo, f.Body); at != nil {
		pass.ReportRangef(at, "method %s of %s is not written yet: runtime.ErrNotImplemented ends the run that calls it",
			f.Name.Name, displayName(pass, wanted.Pkg(), wanted.Name()))
	}
}

// isRuntime reports whether an object is the one that package runtime declares with this name.
func isRuntime(object types.Object, name string) bool {
	return object != nil && object.Pkg() != nil && object.Pkg().Path() == runtimePath && object.Name() == name
}

// findUnimplementedReturn returns the first position where a function returns
// runtime.ErrNotImplemented as its last result, wrapped or not, or nil.
func findUnimplementedReturn(info *types.Info, body *ast.BlockStmt) ast.Node {
	var place ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its returns belong to another function
		case *ast.ReturnStmt:
			if last := len(n.Results) - 1; last >= 0 && place == nil {
				place = findUnimplementedError(info, n.Results[last])
			}
		}

		return place == nil
	})

	return place
}

// findUnimplementedError returns the position of runtime.ErrNotImplemented in an error expression,
// or nil.
func findUnimplementedError(info *types.Info, expr ast.Expr) ast.Node {
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
		if isWrapping(info, expr) {
			in = expr.Args
		}
	}
	for _, expr := range in {
		if place := findUnimplementedError(info, expr); place != nil {
			return place
		}
	}

	return nil
}

// isWrapping reports whether a call makes an error of the errors among its arguments. It is a
// variadic function, such as fmt.Errorf and errors.Join, or a function of one error. A function of
// two errors may compare them.
func isWrapping(info *types.Info, call *ast.CallExpr) bool {
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
