package gopkg

import (
	"go/types"

	"golang.org/x/tools/go/packages"
)

// AppType is the generated type App of a project: the folder of its package, and the name of the type, which a project can change.
type AppType struct{ Folder, Name string }

// AppFunc is an exported function without parameters that returns a pointer to the generated App of a project, and maybe an error:
// all that a package main needs.
type AppFunc struct {
	// Folder is that of its package, relative to the project folder as the go command writes it; ImportPath is the import path.
	Folder, ImportPath string
	// Package is the name of its package, Name that of the function.
	Package, Name string
	// HasError reports whether it returns an error, too.
	HasError bool
}

// String returns the function as Go refers to it, such as "desk.App".
func (f AppFunc) String() string { return f.Package + "." + f.Name }

// appFuncsIn returns the functions of loaded packages that return the App of a project, in the order of the packages and of
// the names. Those of its package itself do not count, and those of packages main, which no Go imports.
// Folders are relative to dir.
func appFuncsIn(dir string, loaded []*packages.Package, app AppType) (all []AppFunc, err error) {
	s := newSources(func(p *packages.Package) bool { return imports(p, app.Folder) })
	for _, p := range loaded {
		if p.Name == "main" || len(p.GoFiles) == 0 || isInFolder(p, app.Folder) || !imports(p, app.Folder) {
			continue
		}
		folders, err := foldersOf(dir, []*packages.Package{p})
		if err != nil {
			return nil, err
		}
		scope := s.check(p).Scope()
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

// returnsApp reports whether a function has no parameters and returns a pointer to the App, alone or with an error.
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

// isDeclaredIn reports whether a package is the checked one in a folder.
func (s *sources) isDeclaredIn(pkg *types.Package, folder string) bool {
	for p, checked := range s.checked {
		if checked.Package == pkg {
			return isInFolder(p, folder)
		}
	}

	return false
}
