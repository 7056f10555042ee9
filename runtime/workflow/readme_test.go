package workflow_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestREADMEListsEveryErrorAndBuiltin: whoever adds one says what it means.
func TestREADMEListsEveryErrorAndBuiltin(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for name, inGo := range builtins {
		if !strings.Contains(page, "\n| `"+name+"(") || !strings.Contains(page, "| `"+inGo[0]+"` |") {
			t.Errorf("README.md has no row for %s (%s)", name, inGo[0])
		}
	}

	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() || !strings.HasSuffix(spec.Name.Name, "Error") {
				return true
			}
			found++
			if !strings.Contains(page, "\n| `"+spec.Name.Name+"` |") {
				t.Errorf("README.md has no row for %s (%s)", spec.Name.Name, name)
			}

			return true
		})
	}
	if found < 9 {
		t.Errorf("only %d errors were found", found)
	}
}
