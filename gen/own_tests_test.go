package gen_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestOwnTests runs the tests that right projects get, all in one program: the cases of this folder, the corpus, and random
// projects. Each of them passes.
func TestOwnTests(t *testing.T) {
	random := 30
	if testing.Short() {
		random = 5
	}
	packages := map[string]*gen.Result{}
	add := func(name string, result *gen.Result) {
		if slices.ContainsFunc(result.Files, isTest) {
			packages["p"+strings.ReplaceAll(name, "-", "")] = result
		}
	}
	for _, dir := range []string{"ok", "run", "patterns", "listings"} {
		for name, archive := range readCases(t, "testdata/"+dir) {
			add(dir+name, compileFS(t, projectOf(archive)))
		}
	}
	projects, err := filepath.Glob(corpus + "/*/agents")
	if err != nil {
		t.Fatal(err)
	}
	for _, agents := range projects {
		name := filepath.Base(filepath.Dir(agents))
		result, _ := corpusProject(t, name)
		add("corpus"+name, result)
	}
	for seed := range uint64(random) {
		add(fmt.Sprint("random", seed), compileFS(t, newRandomProject(seed).files))
	}

	out := runOwnTests(t, packages)
	ran := regexp.MustCompile(`(?m)^ +--- PASS: TestAll/`).FindAllString(out, -1)
	t.Logf("%d packages, %d machines", len(packages), len(ran))
	if len(ran) < 30+random {
		t.Errorf("the tests of only %d machines were run", len(ran))
	}
}

// runOwnTests builds the tests of all packages into one, since a program for each would take long to link, runs it and
// returns what it prints.
func runOwnTests(t *testing.T, packages map[string]*gen.Result) string {
	t.Helper()
	dir := newModule(t, "tests")
	var imports, calls strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		fmt.Fprintf(&imports, "\t%s %q\n", pkg, "tests/"+pkg)
		for _, f := range ofTheRuntime(packages[pkg]) {
			name := f.Name
			if isTest(f) {
				name = "tests.go"
				for _, test := range testFuncs.FindAllSubmatch(f.Content, -1) {
					fmt.Fprintf(&calls, "\tt.Run(\"%[1]s/%[2]s\", %[1]s.%[2]s)\n", pkg, test[1])
				}
			}
			writeFile(t, filepath.Join(dir, pkg, name), string(f.Content))
		}
	}
	writeFile(t, filepath.Join(dir, "all_test.go"), "package tests\n\nimport (\n\t\"testing\"\n\n"+imports.String()+
		")\n\nfunc TestAll(t *testing.T) {\n"+calls.String()+"}\n")

	cmd := exec.Command("go", "test", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}

	return string(out)
}

var testFuncs = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func isTest(f emit.File) bool { return f.Name == names.TestFile }
