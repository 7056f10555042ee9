package gen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestNoReaderComparesBuiltinNames: the descriptors of package builtin say everything about filters,
// builtin steps and tools. A reader that asks for one by its name would be a second place.
func TestNoReaderComparesBuiltinNames(t *testing.T) {
	isName := ir.SetOf(slices.Concat(
		ir.Map(builtin.Filters, func(f builtin.Filter) string { return f.Name }), builtin.StepNames(), builtin.Tools()))
	delete(isName, "default") // the role of models has this name, too
	delete(isName, "last")    // and this one is a value of on_bound and of merge
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		isDescribed := strings.HasPrefix(path, filepath.Join("internal", "builtin"))
		isSource := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata")
		if err != nil || isDescribed || !isSource {
			return err
		}
		files++
		for _, found := range findComparedTexts(t, path) {
			if isName[found.text] {
				t.Errorf("%s compares with %q: its descriptor in internal/builtin should say what that means", found.at, found.text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("%d files are so few that the test says little", files)
	}
}

// comparedText is a text of a source that a value is compared with.
type comparedText struct {
	text string
	at   token.Position
}

// findComparedTexts returns the texts that a Go file compares values with, in comparisons and in the
// cases of switches.
func findComparedTexts(t *testing.T, path string) []comparedText {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []comparedText
	ast.Inspect(file, func(node ast.Node) bool {
		for _, x := range comparedWith(node) {
			literal, isLiteral := x.(*ast.BasicLit)
			if !isLiteral || literal.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, comparedText{text, set.Position(literal.Pos())})
		}
		return true
	})

	return found
}

// comparedWith returns the operands of a comparison, or the expressions of a case.
func comparedWith(node ast.Node) []ast.Expr {
	switch node := node.(type) {
	case *ast.BinaryExpr:
		if node.Op == token.EQL || node.Op == token.NEQ {
			return []ast.Expr{node.X, node.Y}
		}
	case *ast.CaseClause:
		return node.List
	}

	return nil
}
