package emit_test

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/verify"
)

// codeIf is the folder of the expected files of a case.
const codeIf = "want/"

// load returns the program of a project without mistakes.
func load(t testing.TB, files []txtar.File) *ir.Program {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, f := range files {
		if !strings.HasPrefix(f.Name, codeIf) {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	var list diag.List
	p, err := loader.Load(fsys, &list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, &list)
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Errorf("%s:%d: %s [%s]", d.Span.File.Path, d.Span.Pos().Line, d.Message, d.Check.Name)
		}
	}
	if t.Failed() {
		t.FailNow()
	}

	return p
}

// emitted returns the files of a program, after they were read back.
func emitted(t testing.TB, p *ir.Program) []emit.File {
	t.Helper()
	files, err := emit.Files(p, emit.Options{Graph: func(a *ir.Agent) string { return "picture of " + a.Name.Value + "\n" }})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Files(p, files); err != nil {
		t.Fatal(err)
	}

	return files
}

// goldenPrograms returns the programs of the cases in testdata/golden by name.
func goldenPrograms(t *testing.T) map[string]*ir.Program {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	programs := map[string]*ir.Program{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs[strings.TrimSuffix(filepath.Base(path), ".txtar")] = load(t, a.Files)
	}

	return programs
}

// golden returns the files that are emitted for the cases.
func golden(t *testing.T) map[string][]emit.File {
	t.Helper()
	cases := map[string][]emit.File{}
	for name, p := range goldenPrograms(t) {
		cases[name] = emitted(t, p)
	}

	return cases
}

// TestGolden compares what is emitted for each project in testdata/golden with the files below
// want/ beside it.
func TestGolden(t *testing.T) {
	for name, files := range golden(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata/golden", name+".txtar")
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string][]byte{}
			var project []txtar.File
			for _, f := range a.Files {
				if file, isWanted := strings.CutPrefix(f.Name, codeIf); isWanted {
					want[file] = f.Data
				} else {
					project = append(project, f)
				}
			}
			for _, f := range files {
				if !*casetest.Update && !bytes.Equal(want[f.Name], f.Content) {
					t.Errorf("%s differs (go test -update shows how):\n%s", f.Name, f.Content)
				}
				delete(want, f.Name)
				project = append(project, txtar.File{Name: codeIf + f.Name, Data: f.Content})
			}
			if *casetest.Update {
				a.Files = project
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for file := range want {
				t.Errorf("%s is not emitted any more", file)
			}
		})
	}
}

// TestFormatted compares every emitted file with what gofmt makes of it.
func TestFormatted(t *testing.T) {
	for name, files := range golden(t) {
		for _, f := range files {
			formatted, err := format.Source(f.Content)
			if err != nil || !bytes.Equal(formatted, f.Content) {
				t.Errorf("%s/%s is not as gofmt writes it: %v", name, f.Name, err)
			}
			for i, line := range strings.Split(string(f.Content), "\n") {
				if len(line) > 140 && !strings.Contains(line, "`") && !strings.Contains(line, `"`) {
					t.Errorf("%s/%s:%d is %d bytes long", name, f.Name, i+1, len(line))
				}
			}
		}
	}
}

// workspace is a module that uses this one, in which emitted packages are compiled and run.
type workspace struct {
	t   *testing.T
	dir string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t, t.TempDir()}
	w.write("go.mod", "module emitted\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n")

	return w
}

func (w *workspace) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) read(name string) string {
	w.t.Helper()
	content, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}

	return string(content)
}

func (w *workspace) add(pkg string, files []emit.File) {
	w.t.Helper()
	for _, f := range files {
		w.write(filepath.Join(pkg, f.Name), string(f.Content))
	}
}

var testFuncs = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// addAll adds packages, and one test that runs all of theirs: a program for each would take long to link.
func (w *workspace) addAll(packages map[string][]emit.File) {
	w.t.Helper()
	var imports, calls strings.Builder
	for pkg, files := range packages {
		files = slices.Clone(files)
		for i, f := range files {
			if f.Name != names.TestFile {
				continue
			}
			files[i].Name = "tests.go"
			alias := strings.ReplaceAll(pkg, "-", "")
			fmt.Fprintf(&imports, "\t%s \"emitted/%s\"\n", alias, pkg)
			for _, test := range testFuncs.FindAllSubmatch(f.Content, -1) {
				fmt.Fprintf(&calls, "\tt.Run(\"%[1]s/%[2]s\", %[1]s.%[2]s)\n", alias, test[1])
			}
		}
		w.add(pkg, files)
	}
	w.write("all/all_test.go", "package all\n\nimport (\n\t\"testing\"\n\n"+imports.String()+
		")\n\nfunc TestAll(t *testing.T) {\n"+calls.String()+"}\n")
}

// run runs the go command and returns what it prints on standard output.
func (w *workspace) run(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}

	return string(out)
}

// TestCompiled compiles, vets and tests the packages of all golden cases together.
func TestCompiled(t *testing.T) {
	t.Parallel()
	packages := golden(t)
	for name, files := range packages {
		if name == "providers" || name == "servers" { // what they need are modules of their own
			packages[name] = emit.WithoutProviders("agents", files)
		}
	}
	w := newWorkspace(t)
	w.addAll(packages)
	w.run("vet", "./...")
	w.run("test", "-vet=off", "./all")
}
