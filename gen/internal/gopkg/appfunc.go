package gopkg

import (
	"go/types"

	"golang.org/x/tools/go/packages"
)

// AppType is the generated type App of a project. Folder is the folder of its package. A project
// can change the name.
type AppType struct{ Folder, Name string }

// AppFunc is an exported function without parameters that returns a pointer to the generated App of
// a project, and optionally an error. A package main needs nothing else.
type AppFunc struct {
	// Folder is the folder of its package, relative to the project folder and in the form of the go
	// command. ImportPath is the import path of the package.
	Folder, ImportPath string
	// Package is the name of its package, and Name its own.
	Package, Name string
	// HasError reports whether the function also returns an error.
	HasError bool
}

// String returns the function in Go syntax, such as "desk.App".
func (f AppFunc) String() string { return f.Package + "." + f.Name }

// appFuncsIn returns the functions in loaded packages that return the App of a project, in the
// order of the packages and of the names. It leaves out the package of App itself, and packages
// main, which cannot be imported. Folders are relative to dir.
func appFuncsIn(dir string, loaded []*packages.Package, app AppType) ([]AppFunc, error) {
	var all []AppFunc
	s := newSources(func(p *packages.Package) bool { return importsFolder(p, app.Folder) })
	for _, p := range loaded {
		if p.Name == "main" || len(p.GoFiles) == 0 || isInFolder(p, app.Folder) || !importsFolder(p, app.Folder) {
			continue
		}
		folders, err := foldersOf(dir, []*packages.Package{p})
		if err != nil {
			return nil, err
		}
		scope := s.typeCheck(p).Scope()
		for _, name := range scope.Names() {
			function, isFunc := scope.Lookup(name).(*types.Func)
			if !isFunc || !function.Exported() || !s.returnsApp(function.Signature(), app) {
				continue
			}
			all = append(all, AppFunc{
				Folder: folders[0], ImportPath: p.PkgPath, Package: p.Name, Name: name,
				HasError: function.Signature().Results().Len() == 2,
			})
		}
	}

	return all, nil
}

// returnsApp reports whether a function has no parameters and returns a pointer to App, alone or
// with an error.
func (s *sources) returnsApp(function *types.Signature, app AppType) bool {
	results := function.Results()
	hasParameters := function.Params().Len() > 0 || function.TypeParams().Len() > 0
	if hasParameters || results.Len() < 1 || results.Len() > 2 {
		return false
	}
	if results.Len() == 2 && !types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	pointer, isPointer := types.Unalias(results.At(0).Type()).(*types.Pointer)
	if !isPointer {
		return false
	}
	named, isNamed := types.Unalias(pointer.Elem()).(*types.Named)

	return isNamed && named.Obj().Name() == app.Name && s.isDeclaredIn(named.Obj().Pkg(), app.Folder)
}

// isDeclaredIn reports whether pkg is the type-checked package in a folder.
func (s *sources) isDeclaredIn(pkg *types.Package, folder string) bool {
	for p, checked := range s.checked {
		if checked.Package == pkg {
			return isInFolder(p, folder)
		}
	}

	return false
}
