package runtime_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostNames and mostPublicNames bound the exported names of package runtime, and of it and all public packages below it together, but for
// those that are there for tests. They only go down.
const (
	mostNames       = 60
	mostPublicNames = 350
)

// exported are the exported names that a file declares at its top level.
func exported(file *ast.File) (names []string) {
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name)
					}
				}
			}
		}
	}

	return names
}

// TestNamesAreFew: package runtime is small, each of its names is used in a test, and all public packages together do not grow.
func TestNamesAreFew(t *testing.T) {
	var names []string
	used, public := map[string]bool{}, 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", "benchmarks"}, entry.Name()):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		switch internal := strings.Contains(filepath.ToSlash(path), "internal/") || strings.HasSuffix(filepath.Dir(path), "test"); {
		case strings.HasSuffix(path, "_test.go"):
			ast.Inspect(file, func(node ast.Node) bool {
				if s, ok := node.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "runtime" {
						used[s.Sel.Name] = true
					}
				}

				return true
			})
		case !internal && file.Name.Name != "main":
			public += len(exported(file))
			if filepath.Dir(path) == "." {
				names = append(names, exported(file)...)
			}
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > mostNames {
		t.Errorf("package runtime exports %d names, more than %d: %s", len(names), mostNames, strings.Join(names, " "))
	}
	if public > mostPublicNames {
		t.Errorf("the public packages export %d names, more than %d", public, mostPublicNames)
	}
	for _, name := range names {
		if !used[name] {
			t.Errorf("no test uses runtime.%s", name)
		}
	}
	t.Logf("runtime exports %d names, all public packages %d", len(names), public)
}
