package gopkg

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// appPath is the import path of package app, whose Main runs the command line of an agent program.
const appPath = Agentc + "/runtime/cli/app"

// splitByAppCall returns the packages main whose main calls app.Main, directly or through other
// functions, and the other packages main.
func splitByAppCall(mains []*packages.Package) (programs, services []*packages.Package) {
	s := newSources(leadsToApp)
	for _, p := range mains {
		if s.callsApp(p) {
			programs = append(programs, p)
		} else {
			services = append(services, p)
		}
	}

	return programs, services
}

// sources are packages that were type-checked from their source. Packages that are not followed
// have no types, so what depends on them has none either. This needs no compilation, and it works
// while the user's Go has errors.
type sources struct {
	files *token.FileSet
	// isFollowed reports whether to type-check an imported package too.
	isFollowed func(p *packages.Package) bool
	checked    map[*packages.Package]*checkedPackage
	// bodies are the declarations of functions and of package-level variables.
	bodies map[types.Object]ast.Node
	uses   map[*ast.Ident]types.Object
}

func newSources(isFollowed func(p *packages.Package) bool) *sources {
	return &sources{
		files: token.NewFileSet(), isFollowed: isFollowed, checked: map[*packages.Package]*checkedPackage{},
		bodies: map[types.Object]ast.Node{}, uses: map[*ast.Ident]types.Object{},
	}
}

type checkedPackage struct {
	*types.Package
	// isBroken reports whether a file of the package, or of one that it imports, does not parse.
	isBroken bool
}

// callsApp reports whether the function main of a package refers to app.Main or to a method of
// app.Options that does the same. It follows references through functions, methods and
// package-level variables, but no calls through interfaces. It also accepts a package that does not
// parse: go build reports the reason, and nothing starts.
func (s *sources) callsApp(p *packages.Package) bool {
	if !leadsToApp(p) {
		return false
	}
	pkg := s.typeCheck(p)
	if pkg.isBroken {
		return true
	}
	start := pkg.Scope().Lookup("main")
	if start == nil {
		return false
	}
	seen := map[types.Object]bool{}
	for next := []types.Object{start}; len(next) > 0; {
		object := next[0]
		next = next[1:]
		if isAppMain(object) {
			return true
		}
		if body := s.bodies[object]; body != nil && !seen[object] {
			seen[object] = true
			next = append(next, s.referencesIn(body)...)
		}
	}

	return false
}

// isAppMain reports whether an object is a function that runs the command line of a program.
func isAppMain(object types.Object) bool {
	f, isFunc := object.(*types.Func)
	if !isFunc || f.Pkg() == nil || f.Pkg().Path() != appPath {
		return false
	}
	isMethod := f.Signature().Recv() != nil

	return f.Name() == "Main" || f.Name() == "Run" && isMethod
}

// referencesIn returns the functions and variables that a declaration refers to.
func (s *sources) referencesIn(declaration ast.Node) (all []types.Object) {
	ast.Inspect(declaration, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return true
		}
		switch object := s.uses[id].(type) {
		case *types.Func:
			all = append(all, object.Origin())
		case *types.Var:
			all = append(all, object)
		}
		return true
	})

	return all
}

// leadsToApp reports whether functions of a package can call functions of package app. Other
// packages of agentc's runtime never do.
func leadsToApp(p *packages.Package) bool {
	if p.PkgPath == appPath {
		return true
	}
	found := false
	packages.Visit([]*packages.Package{p}, func(p *packages.Package) bool {
		found = found || p.Imports[appPath] != nil
		return !found && !strings.HasPrefix(p.PkgPath, Agentc+"/runtime/")
	}, nil)

	return found
}

// typeCheck type-checks a package and ignores errors. Code that does not compile refers to nothing
// and has no type.
func (s *sources) typeCheck(p *packages.Package) *checkedPackage {
	if pkg := s.checked[p]; pkg != nil {
		return pkg
	}
	pkg := &checkedPackage{}
	s.checked[p] = pkg
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		pkg.isBroken = pkg.isBroken || err != nil
		if file != nil {
			files = append(files, file)
		}
	}

	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: s.uses}
	config := types.Config{
		FakeImportC: true, Error: func(error) {},
		Importer: importerFunc(func(path string) (*types.Package, error) {
			imported := p.Imports[path]
			if imported == nil || !s.isFollowed(imported) {
				return nil, fmt.Errorf("%s is not followed", path)
			}
			other := s.typeCheck(imported)
			pkg.isBroken = pkg.isBroken || other.isBroken
			if other.Package == nil {
				return nil, fmt.Errorf("%s is imported in a cycle", path)
			}
			return other.Package, nil
		}),
	}
	pkg.Package, _ = config.Check(p.PkgPath, s.files, files, info)
	s.recordBodies(files, info.Defs)

	return pkg
}

// recordBodies records the declarations of the functions and variables in files.
func (s *sources) recordBodies(files []*ast.File, objects map[*ast.Ident]types.Object) {
	for _, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				s.bodies[objects[d.Name]] = d
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if values, isValues := spec.(*ast.ValueSpec); isValues {
						for _, name := range values.Names {
							s.bodies[objects[name]] = values
						}
					}
				}
			}
		}
	}
}

type importerFunc func(path string) (*types.Package, error)

// Import implements types.Importer.
func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
