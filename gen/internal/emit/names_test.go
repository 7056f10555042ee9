package emit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestEveryNameIsListed compares the declarations of the golden packages with the table of names:
// an identifier that the table misses could collide unseen.
func TestEveryNameIsListed(t *testing.T) {
	for name, p := range goldenPrograms(t) {
		table, collisions := names.Of(p)
		if len(collisions) > 0 {
			t.Errorf("%s: %v", name, collisions)
		}
		known := map[string]bool{}
		for _, id := range table {
			known[string(id.Scope)+"."+id.Go] = true
		}
		count := 0
		for _, f := range emitted(t, p) {
			if !known[string(names.FileNames)+"."+f.Name] {
				t.Errorf("%s: the table misses the file %s", name, f.Name)
			}
			for _, id := range declared(t, f) {
				count++
				if !known[id] {
					t.Errorf("%s/%s: the table misses %s", name, f.Name, id)
				}
			}
		}
		if count == 0 {
			t.Errorf("%s declares nothing", name)
		}
	}
}

// declared returns the identifiers of the package block and the methods of App and Tools that a
// file declares.
func declared(t *testing.T, f emit.File) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	add := func(scope names.Scope, id *ast.Ident) {
		if id.Name != "_" {
			found = append(found, string(scope)+"."+id.Name)
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(names.Package, decl.Name)
			} else if star, ok := decl.Recv.List[0].Type.(*ast.StarExpr); ok && star.X.(*ast.Ident).Name == "App" {
				add(names.Methods, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(names.Package, id)
					}
				case *ast.TypeSpec:
					add(names.Package, spec.Name)
					if methods, isInterface := spec.Type.(*ast.InterfaceType); isInterface && spec.Name.Name == "Tools" {
						for _, m := range methods.Methods.List {
							add(names.ToolMethods, m.Names[0])
						}
					}
				}
			}
		}
	}

	return found
}
