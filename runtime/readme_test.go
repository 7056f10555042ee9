package runtime_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestREADMEListsEveryErrorAndEvent: whoever adds one says what it means.
func TestREADMEListsEveryErrorAndEvent(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	errors, events := 0, 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			row := ""
			switch node := node.(type) {
			case *ast.TypeSpec:
				if strings.HasSuffix(node.Name.Name, "Error") && node.Name.IsExported() {
					row = node.Name.Name
					errors++
				}
			case *ast.ValueSpec:
				if kind, ok := node.Type.(*ast.Ident); ok && kind.Name == "EventKind" {
					row = strings.Trim(node.Values[0].(*ast.BasicLit).Value, `"`)
					events++
				}
			}
			if row != "" && !strings.Contains(string(page), "\n| `"+row+"` |") {
				t.Errorf("README.md has no row for %s (%s)", row, name)
			}

			return true
		})
	}
	if errors < 20 || events < 15 {
		t.Errorf("only %d errors and %d events were found", errors, events)
	}
}
