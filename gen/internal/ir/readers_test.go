package ir_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// mostNamed is how many kinds of operations a type switch may name that looks for these alone. One that names more says what
// each operation means.
const mostNamed = 3

// TestReadersKnowEachKind: a type switch of the compiler that says what operations mean names each kind of operation that a task can
// do. So the tests say where a new kind has no meaning yet. A default does not count: it would hide that.
func TestReadersKnowEachKind(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	readers := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, isSwitch := n.(*ast.TypeSwitchStmt)
			if !isSwitch {
				return true
			}
			named := kindsNamed(s, file.Name.Name == "ir")
			if len(named) <= mostNamed {
				return true
			}
			readers++
			for _, kind := range kindNames() {
				if !named[kind] && kind != "Task" {
					t.Errorf("%v: the switch names no *ir.%s", set.Position(s.Pos()), kind)
				}
			}
			return true
		})
	}
	if readers < 10 {
		t.Errorf("only %d switches say what operations mean", readers)
	}
}

func kindNames() []string {
	return ir.Map(ir.OpKinds(), func(kind ir.Op) string { return reflect.TypeOf(kind).Elem().Name() })
}

// kindsNamed returns the kinds of operations that the cases of a switch name. inside says that the file is one of package ir.
func kindsNamed(s *ast.TypeSwitchStmt, inside bool) map[string]bool {
	kinds := ir.SetOf(kindNames())
	named := map[string]bool{}
	for _, clause := range s.Body.List {
		for _, typ := range clause.(*ast.CaseClause).List {
			if name := typeName(typ, inside); kinds[name] {
				named[name] = true
			}
		}
	}

	return named
}

// typeName returns the name of a type of package ir to which a pointer is; "" for any other one.
func typeName(typ ast.Expr, inside bool) string {
	pointer, isPointer := typ.(*ast.StarExpr)
	if !isPointer {
		return ""
	}
	switch to := pointer.X.(type) {
	case *ast.Ident:
		if inside {
			return to.Name
		}
	case *ast.SelectorExpr:
		if from, isName := to.X.(*ast.Ident); isName && from.Name == "ir" {
			return to.Sel.Name
		}
	}

	return ""
}
