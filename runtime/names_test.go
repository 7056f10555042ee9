package runtime_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
)

// mostNames bounds the exported names of package runtime.
const mostNames = 60

// namesFile lists the exported names of all public packages, but for those that are there for tests. A change of it is a change of what
// users can call: `go test ./runtime -run TestNames -update` writes it.
const namesFile = "testdata/names.txt"

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

// TestNames: package runtime is small, each of its names is used in a test, and the names of all public packages are those of namesFile.
func TestNames(t *testing.T) {
	public, used := publicNames(t)
	var small, lines []string
	for dir, names := range public {
		if dir == "." {
			small = names
			dir = "runtime"
		}
		for _, name := range names {
			lines = append(lines, dir+"."+name)
		}
	}
	if len(small) > mostNames {
		t.Errorf("package runtime exports %d names, more than %d: %s", len(small), mostNames, strings.Join(small, " "))
	}
	for _, name := range small {
		if !used[name] {
			t.Errorf("no test uses runtime.%s", name)
		}
	}
	slices.Sort(lines)
	compareNames(t, lines)
}

// publicNames returns the exported names of each public package by its folder, and the names of package runtime that tests use.
func publicNames(t *testing.T) (public map[string][]string, used map[string]bool) {
	t.Helper()
	public, used = map[string][]string{}, map[string]bool{}
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
		dir := filepath.ToSlash(filepath.Dir(path))
		isInternal := strings.Contains(dir+"/", "internal/") || strings.HasSuffix(dir, "test")
		switch {
		case strings.HasSuffix(path, "_test.go"):
			collectUsed(file, used)
		case !isInternal && file.Name.Name != "main":
			public[dir] = append(public[dir], exported(file)...)
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return public, used
}

// collectUsed adds the names of package runtime that a file uses.
func collectUsed(file *ast.File, used map[string]bool) {
	ast.Inspect(file, func(node ast.Node) bool {
		selector, isSelector := node.(*ast.SelectorExpr)
		if !isSelector {
			return true
		}
		if x, isName := selector.X.(*ast.Ident); isName && x.Name == "runtime" {
			used[selector.Sel.Name] = true
		}

		return true
	})
}

// compareNames compares names with those of namesFile, or writes them there.
func compareNames(t *testing.T, names []string) {
	t.Helper()
	text := strings.Join(names, "\n") + "\n"
	if *golden.Update {
		golden.Write(t, namesFile, text)
		return
	}
	content, err := os.ReadFile(namesFile)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(content))
	for _, name := range names {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is exported, and not in %s: write it with -update", name, namesFile)
		}
	}
	for _, name := range listed {
		if !slices.Contains(names, name) {
			t.Errorf("%s is in %s, and not exported: write it with -update", name, namesFile)
		}
	}
}
