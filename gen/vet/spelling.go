package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/agentc-dev/agentc/gen/internal/words"
)

// spelling spells names of packages at a position in Go code.
type spelling struct {
	pass *analysis.Pass
	file *ast.File
	pos  token.Pos
}

// spell returns how the code refers to a name of pkg. ok is false if it cannot, because the file
// does not import the package or another declaration hides it.
func (s spelling) spell(pkg *types.Package, name string) (spelled string, ok bool) {
	if pkg == s.pass.Pkg {
		return name, s.refersTo(name, pkg)
	}

	for _, spec := range s.file.Imports {
		imported := s.pass.TypesInfo.PkgNameOf(spec)
		switch {
		case imported == nil || imported.Imported() != pkg || imported.Name() == "_":
		case imported.Name() == ".":
			return name, s.refersTo(name, pkg)
		case s.lookup(imported.Name()) == imported:
			return imported.Name() + "." + name, true
		}
	}

	return "", false
}

// refersTo reports whether an unqualified name refers to a declaration of pkg.
func (s spelling) refersTo(name string, pkg *types.Package) bool {
	object := s.lookup(name)

	return object != nil && object.Pkg() == pkg && object.Parent() == pkg.Scope()
}

// lookup returns the object that a name refers to.
func (s spelling) lookup(name string) types.Object {
	scope := s.pass.Pkg.Scope().Innermost(s.pos)
	if scope == nil {
		return nil
	}
	_, object := scope.LookupParent(name, s.pos)

	return object
}

// displayName returns the name of a declaration of pkg in messages, whatever the file imports.
func displayName(pass *analysis.Pass, pkg *types.Package, name string) string {
	if pkg == pass.Pkg {
		return name
	}

	return pkg.Name() + "." + name
}

// maxListed is the largest number of names in a message.
const maxListed = 10

// joinNames joins names for a message: "a", "a and b", "a, b and 12 more".
func joinNames(names []string) string {
	return words.List(names, "and", maxListed)
}
