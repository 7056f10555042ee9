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

// handles are the declarations whose types are internal on purpose. Their fields and methods are for packages of agentc: a recording
// is opened and given to an engine, and a server is given to another.
var handles = []string{
	"recording.FormatError", "recording.Recorder", "recording.Recording", "otel.Part.ObserveRun",
}

// TestTypesCanBeNamed: what a public package exports has types that its users can name and whose documentation they can read: none of
// an internal package.
func TestTypesCanBeNamed(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", "benchmarks", "internal"}, entry.Name()),
			entry.IsDir() && strings.HasSuffix(path, "test"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for name, at := range exposed(file) {
			name = file.Name.Name + "." + name
			if found[name] = true; !slices.Contains(handles, name) {
				t.Errorf("%s: %s has the internal type %s", path, name, at)
			}
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range handles {
		if !found[name] {
			t.Errorf("%s has no internal type", name)
		}
	}
}

// exposed returns the exported declarations of a file that have a type of an internal package, and that type.
func exposed(file *ast.File) map[string]string {
	internal := map[string]bool{}
	for _, spec := range file.Imports {
		if path := strings.Trim(spec.Path.Value, `"`); strings.Contains(path, "/internal/") {
			internal[path[strings.LastIndex(path, "/")+1:]] = true
		}
	}
	found := map[string]string{}
	look := func(name string, node ast.Node) {
		ast.Inspect(node, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Field:
				return len(node.Names) == 0 || slices.ContainsFunc(node.Names, (*ast.Ident).IsExported)
			case *ast.SelectorExpr:
				if x, isName := node.X.(*ast.Ident); isName && internal[x.Name] {
					found[name] = x.Name + "." + node.Sel.Name
				}
			}

			return true
		})
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil {
				name = receiver(decl) + "." + name
			}
			if !decl.Name.IsExported() || !ast.IsExported(name) {
				continue
			}
			for _, list := range []*ast.FieldList{decl.Type.Params, decl.Type.Results} {
				for i := 0; list != nil && i < len(list.List); i++ {
					look(name, list.List[i].Type)
				}
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, isType := spec.(*ast.TypeSpec); isType && spec.Name.IsExported() {
					look(spec.Name.Name, spec.Type)
				}
			}
		}
	}

	return found
}
