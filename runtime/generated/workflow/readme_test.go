package workflow_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestREADMEListsEveryError: whoever adds one says what it means.
func TestREADMEListsEveryError(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
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
			pair, ok := node.(*ast.KeyValueExpr)
			if !ok || fmt.Sprint(pair.Key) != "Code" {
				return true
			}
			found++
			code := strings.Trim(pair.Value.(*ast.BasicLit).Value, `"`)
			if !strings.Contains(page, "\n| `"+code+"` |") {
				t.Errorf("README.md has no row for %s (%s)", code, name)
			}

			return true
		})
	}
	if found < 8 {
		t.Errorf("only %d errors were found", found)
	}
}
