package runtime_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// listed are the names in the first columns of the tables of a page, without their packages.
func listed(t *testing.T, name string) map[string]bool {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		first, _, row := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !row {
			continue
		}
		for name := range strings.SplitSeq(first, ", ") {
			name = strings.Trim(name, "`")
			names[name[strings.LastIndexByte(name, '.')+1:]] = true
		}
	}

	return names
}

// literal is the text of a string literal; "" of any other expression.
func literal(e ast.Expr) string {
	text, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}

	return strings.Trim(text.Value, `"`)
}

// code is what a method ErrorType returns; "" of other functions, and where it is computed.
func code(f *ast.FuncDecl) string {
	if f.Recv == nil || f.Name.Name != "ErrorType" || len(f.Body.List) != 1 {
		return ""
	}

	return literal(f.Body.List[0].(*ast.ReturnStmt).Results[0])
}

// receiver is the type of a method.
func receiver(f *ast.FuncDecl) string {
	of := f.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	name, _ := of.(*ast.Ident)
	if name == nil {
		return "" // of a generic type
	}

	return name.Name
}

// TestREADMEListsEveryErrorAndEvent: each code of an error, in this package and those below it, and each kind of event has a row.
func TestREADMEListsEveryErrorAndEvent(t *testing.T) {
	rows := listed(t, "README.md")
	errors, events := 0, 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			row := ""
			switch node := node.(type) {
			case *ast.FuncDecl:
				if row = code(node); row != "" {
					errors++
				}
			case *ast.KeyValueExpr: // of an errs.Coded
				if key, ok := node.Key.(*ast.Ident); ok && key.Name == "Code" && literal(node.Value) != "" {
					row = literal(node.Value)
					errors++
				}
			case *ast.ValueSpec:
				if code, ok := strings.CutPrefix(node.Names[0].Name, "code"); ok && filepath.Base(filepath.Dir(path)) == "client" {
					row = code + "Error"
					errors++
				}
				if kind, ok := node.Type.(*ast.Ident); ok && kind.Name == "Kind" && filepath.Dir(path) == "event" {
					row = literal(node.Values[0])
					events++
				}
			}
			if row != "" && !rows[row] {
				t.Errorf("README.md has no row for %s (%s)", row, path)
			}

			return true
		})

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if errors < 60 || events < 15 {
		t.Errorf("only %d errors and %d events were found", errors, events)
	}
}

// TestREADMEHasTheFieldsOfEvents: the row of a kind of events lists the fields of its line, with ? those that may be missing, and the
// fields of Event that they come from.
func TestREADMEHasTheFieldsOfEvents(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range eventkind.All {
		_, row, hasRow := strings.Cut(string(page), "\n| `"+k.Name+"` | ")
		if !hasRow {
			t.Errorf("README.md has no row for %s", k.Name)
			continue
		}
		columns := strings.SplitN(row, " | ", 3)
		var names, members []string
		for _, f := range k.Fields {
			name := "`" + f.Name + "`"
			if f.IsOptional() {
				name += "?"
			}
			names, members = append(names, name), append(members, f.Of.String())
		}
		remarks := regexp.MustCompile(` (\([^)]*\)|\{[^}]*\}|\[.*\])|;.*`)
		if got, want := remarks.ReplaceAllString(columns[0], ""), strings.Join(names, ", "); got != want {
			t.Errorf("README.md has the fields of %s\n%s\nand the row of eventkind\n%s", k.Name, got, want)
		}
		if want := strings.Join(members, ", "); columns[1] != want {
			t.Errorf("README.md has the fields of Event for %s\n%s\nand the row of eventkind\n%s", k.Name, columns[1], want)
		}
	}
}

// TestEveryErrorHasACode: an error type, of this package or one below it, that is exported or has a row in the README, has a method
// ErrorType. What wraps one error has the code of that.
func TestEveryErrorHasACode(t *testing.T) {
	rows := listed(t, "README.md")
	types, coded := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in := filepath.ToSlash(filepath.Dir(path)) + "."
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.TypeSpec:
				name := node.Name.Name
				public := strings.ToUpper(name[:1]) + name[1:]
				if _, is := node.Type.(*ast.StructType); is && strings.HasSuffix(name, "Error") && (name == public || rows[public]) {
					types[in+node.Name.Name] = true
				}
			case *ast.FuncDecl:
				if name := node.Name.Name; node.Recv != nil && (name == "ErrorType" || name == "Unwrap") {
					coded[in+receiver(node)] = true
				}
			}

			return true
		})

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(types) < 40 {
		t.Errorf("only %d errors were found", len(types))
	}
	for name := range types {
		if !coded[name] {
			t.Errorf("%s has no code", name)
		}
	}
}
