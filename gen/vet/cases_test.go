package vet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/vet"
)

// TestCases runs each analyzer over the packages of its folder in testdata, one a txtar file: err
// for what is reported, as the want comments say, ok for what is not. F.go.golden is what the fixes
// make of F.go. The packages are Go as users write it, beside what agentc generated for the
// examples: they import it, or the line "copy: DIR" of the comment puts the generated files of DIR
// into the folder agents of the case.
func TestCases(t *testing.T) {
	for _, analyzer := range vet.Analyzers() {
		t.Run(analyzer.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), goMod(t))
			unpackAll(t, dir, analyzer)
			analysistest.RunWithSuggestedFixes(t, dir, analyzer, "./...")
		})
	}
}

// goMod is the go.mod of a module that uses this one.
func goMod(t *testing.T) []byte {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}

	return []byte("module example.com/cases\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n" +
		"replace github.com/agentc-dev/agentc => " + root + "\n")
}

// unpackAll writes the cases of an analyzer into folders of dir that are called like them.
func unpackAll(t *testing.T, dir string, analyzer *analysis.Analyzer) {
	t.Helper()
	for _, kind := range []string{"err", "ok"} {
		cases, err := filepath.Glob(filepath.Join("testdata", analyzer.Name, kind, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(cases) < 2 {
			t.Errorf("%s/%s has %d cases", analyzer.Name, kind, len(cases))
		}
		for _, path := range cases {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if wants := bytes.Contains(content, []byte("// want ")); wants != (kind == "err") {
				t.Errorf("%s expects findings: %v", path, wants)
			}
			unpack(t, filepath.Join(dir, kind, strings.TrimSuffix(filepath.Base(path), ".txtar")), txtar.Parse(content))
		}
	}
}

func unpack(t *testing.T, dir string, archive *txtar.Archive) {
	t.Helper()
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	_, from, copies := strings.Cut(string(archive.Comment), "copy: ")
	if !copies {
		return
	}
	generated, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(strings.TrimSpace(from)), "*_gen*.go"))
	if err != nil || len(generated) == 0 {
		t.Fatalf("nothing generated in %q: %v", from, err)
	}
	for _, path := range generated {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "agents", filepath.Base(path)), content)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
