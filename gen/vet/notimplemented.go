package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// NotImplemented reports methods of Tools, Guards and Funcs that are not implemented yet.
var NotImplemented = analyzer("notimplemented", func(pass *analysis.Pass, known *known) {
	methods := methodsOfTaken(pass, known)
	for _, file := range written(pass) {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && !inTest(pass, file) {
				checkMethod(pass, methods, f)
			}
		}
	}
})

// methodsOfTaken returns the methods by which types of this package implement what a generated New takes, and the interface
// that they implement.
func methodsOfTaken(pass *analysis.Pass, known *known) map[*types.Func]*types.TypeName {
	methods := map[*types.Func]*types.TypeName{}
	for _, wanted := range known.interfaces {
		face := wanted.Type().Underlying().(*types.Interface)
		for _, object := range pass.TypesInfo.Defs {
			name, ok := object.(*types.TypeName)
			if !ok || !implements(name.Type(), face) {
				continue
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

// implements reports whether a type or the pointer to it implements face. It may be generic.
func implements(t types.Type, face *types.Interface) bool {
	missing, _ := types.MissingMethod(types.NewPointer(t), face, true)

	return missing == nil
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
