package runtime_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestStandardLibraryOnly: no package of the runtime needs anything but the standard library and the runtime.
func TestStandardLibraryOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	const ours = "github.com/agentc-dev/agentc/runtime"
	found := 0
	for _, path := range strings.Fields(string(out)) {
		first, _, _ := strings.Cut(path, "/")
		switch {
		case path == ours || strings.HasPrefix(path, ours+"/"):
			found++
		case strings.Contains(first, "."):
			t.Errorf("the runtime needs %s", path)
		}
	}
	if found < 5 {
		t.Errorf("only %d packages of the runtime were looked at", found)
	}
}

// impure are packages through which orchestration would touch the world past the door.
var impure = []string{"os", "net", "math/rand", "math/rand/v2", "crypto/rand", "sync", "sync/atomic", "syscall", "runtime", "io/fs"}

// clocks are the functions of package time that look at a clock or wait.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// TestOrchestrationIsPure: these packages have no goroutine, channel, clock, randomness, environment, or
// iteration over a map, so that a run can be replayed.
func TestOrchestrationIsPure(t *testing.T) {
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "source", nil)
	for _, dir := range []string{".", "event", "signals", "generated/rt", "generated/workflow"} {
		files := parseDir(t, set, dir)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: from}
		if _, err := config.Check(dir, set, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, impurity := range impurities(file, info) {
				t.Errorf("%s: %s", set.Position(impurity.at), impurity.what)
			}
		}
	}
}

// parseDir parses the files of a package, without its tests.
func parseDir(t *testing.T, set *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) < 5 {
		t.Errorf("%s: only %d files were looked at", dir, len(files))
	}

	return files
}

type impurity struct {
	at   token.Pos
	what string
}

func impurities(file *ast.File, info *types.Info) (found []impurity) {
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
		for _, bad := range impure {
			if path == bad {
				found = append(found, impurity{spec.Pos(), "imports " + path})
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			found = append(found, impurity{node.Pos(), "starts a goroutine"})
		case *ast.SelectStmt, *ast.ChanType:
			found = append(found, impurity{node.Pos(), "uses a channel"})
		case *ast.RangeStmt:
			if _, ok := info.Types[node.X].Type.Underlying().(*types.Map); ok {
				found = append(found, impurity{node.Pos(), "iterates over a map"})
			}
		case *ast.SelectorExpr:
			use := info.Uses[node.Sel]
			if use == nil || use.Pkg() == nil || use.Pkg().Path() != "time" {
				return true
			}
			for _, clock := range clocks {
				if _, method := info.Types[node.X]; use.Name() == clock && !method {
					found = append(found, impurity{node.Pos(), "asks a clock"})
				}
			}
		}

		return true
	})

	return found
}

// TestImpuritiesAreFound: the test above would see each of them.
func TestImpuritiesAreFound(t *testing.T) {
	const source = `package p

import (
	"os"
	"time"
)

func f(m map[string]int) {
	go f(nil)
	for range m {
	}
	var c chan int
	select {
	case <-c:
	}
	_ = time.Now().After(time.Time{})
	_ = os.Args
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	if _, err := config.Check("p", set, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range impurities(file, info) {
		got = append(got, i.what)
	}
	const want = "imports os, starts a goroutine, iterates over a map, uses a channel, uses a channel, asks a clock"
	if strings.Join(got, ", ") != want {
		t.Errorf("found %q", got)
	}
}
