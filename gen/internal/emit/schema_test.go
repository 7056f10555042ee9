package emit

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

var updateSchemas = flag.Bool("update-schemas", false, "write what the tests of schemas found into testdata/schema")

// TestSchemaGolden compares the Go of each schema in testdata/schema with what is committed;
// output-*.txtar are values that users make.
func TestSchemaGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/schema/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := jen.NewFile("agents")
			f.ImportName(runtimePath, "runtime")
			f.ImportName(linkedPath+"/rt", "rt")
			if strings.HasPrefix(filepath.Base(path), "output-") {
				emitSchema(f, "Search", "a value", lowered(t, a.Files[0].Data), true)
			} else {
				emitSchema(f, "Search", "a value", lowered(t, a.Files[0].Data), false)
			}
			var got bytes.Buffer
			if err := f.Render(&got); err != nil {
				t.Fatal(err)
			}
			if *updateSchemas {
				a.Files = []txtar.File{a.Files[0], {Name: "search.go", Data: got.Bytes()}}
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(a.Files) != 2 || !bytes.Equal(got.Bytes(), a.Files[1].Data) {
				t.Errorf("got\n%s", got.Bytes())
			}
		})
	}
}

func lowered(t *testing.T, text []byte) *ir.Schema {
	t.Helper()
	n, found := yamldoc.Parse(source.NewFile("schema.yaml", text))
	if len(found) == 0 {
		s, more := schemadoc.Lower(n)
		if len(more) == 0 {
			return s
		}
		found = more
	}
	t.Fatalf("%s: %s", found[0].Span.Text(), found[0].Message)

	return nil
}

// TestSchemaBehaviour runs a program that uses generated types as users and dispatch do.
func TestSchemaBehaviour(t *testing.T) {
	t.Parallel()
	a, err := txtar.ParseFile("testdata/behaviour.txtar")
	if err != nil {
		t.Fatal(err)
	}
	f := jen.NewFile("main")
	f.ImportName(runtimePath, "runtime")
	f.ImportName(linkedPath+"/rt", "rt")
	files := map[string]string{}
	want := ""
	for _, part := range a.Files {
		root, isSchema := strings.CutSuffix(part.Name, ".yaml")
		switch {
		case isSchema:
			if root == "Query" {
				emitSchema(f, root, "a value", lowered(t, part.Data), false)
			} else {
				emitSchema(f, root, "a value", lowered(t, part.Data), true)
			}
		case part.Name == "stdout":
			want = string(part.Data)
		default:
			files[part.Name] = string(part.Data)
		}
	}
	var types bytes.Buffer
	if err := f.Render(&types); err != nil {
		t.Fatal(err)
	}
	files["types.go"] = types.String()

	got, err := exec.Command(buildProgram(t, files)).CombinedOutput()
	if *updateSchemas {
		a.Files[len(a.Files)-1].Data = got
		if err := os.WriteFile("testdata/behaviour.txtar", txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		want = string(got)
	}
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s", err, got)
	}
}

// TestSchemaIdentifiers compares what names says that a schema needs with what is declared.
func TestSchemaIdentifiers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		s := lowerRandom(t, r)
		input, output := jen.NewFile("agents"), jen.NewFile("agents")
		emitSchema(input, "Root", "a value", s, false)
		emitSchema(output, "Root", "a value", s, true)

		declared, wanted := append(declaredNames(t, input), declaredNames(t, output)...), []string{}
		for _, id := range names.SchemaIdentifiers("Root", s) {
			if !slices.Contains(wanted, id.Go) {
				wanted = append(wanted, id.Go)
			}
		}
		slices.Sort(declared)
		declared = slices.Compact(declared)
		slices.Sort(wanted)
		if !slices.Equal(declared, wanted) {
			t.Fatalf("%s:\ndeclared %q\nnames    %q", s.JSON, declared, wanted)
		}
	}
}

func declaredNames(t *testing.T, f *jen.File) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "x.go", f.GoString(), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				all = append(all, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					all = append(all, s.Name.Name)
				case *ast.ValueSpec:
					all = append(all, s.Names[0].Name)
				}
			}
		}
	}

	return all
}
