package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/agentc-dev/agentc/gen/internal/words"
)

// spelling says how Go code at a place writes what a package declares.
type spelling struct {
	pass *analysis.Pass
	file *ast.File
	pos  token.Pos
}

// of returns how the code writes the name of pkg. ok is false if it cannot: the file does not
// import the package, or another declaration hides it.
func (s spelling) of(pkg *types.Package, name string) (spelled string, ok bool) {
	if pkg == s.pass.Pkg {
		return name, s.means(name, pkg)
	}

	for _, spec := range s.file.Imports {
		imported := s.pass.TypesInfo.PkgNameOf(spec)
		switch {
		case imported == nil || imported.Imported() != pkg || imported.Name() == "_":
		case imported.Name() == ".":
			return name, s.means(name, pkg)
		case s.lookup(imported.Name()) == imported:
			return imported.Name() + "." + name, true
		}
	}

	return "", false
}

// means reports whether a name, as it is, is that of a declaration of pkg.
func (s spelling) means(name string, pkg *types.Package) bool {
	object := s.lookup(name)

	return object != nil && object.Pkg() == pkg && object.Parent() == pkg.Scope()
}

// lookup returns what a name refers to.
func (s spelling) lookup(name string) types.Object {
	scope := s.pass.Pkg.Scope().Innermost(s.pos)
	if scope == nil {
		return nil
	}
	_, object := scope.LookupParent(name, s.pos)

	return object
}

// shown is how a message names something that pkg declares, whatever the file imports.
func shown(pass *analysis.Pass, pkg *types.Package, name string) string {
	if pkg == pass.Pkg {
		return name
	}

	return pkg.Name() + "." + name
}

// maxListed is how many names a message lists.
const maxListed = 10

// listed joins names for a message: "a", "a and b", "a, b and 12 more".
func listed(names []string) string {
	return words.List(names, "and", maxListed)
}
