package check_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// wantFile is the file of a case that holds the expected text; the others are the project.
const wantFile = "want"

// compile checks the project in an archive.
func compile(t *testing.T, a *txtar.Archive) []*diag.Diagnostic {
	t.Helper()
	project := fstest.MapFS{}
	for _, f := range a.Files {
		if f.Name != wantFile {
			project[f.Name] = &fstest.MapFile{Data: []byte(fakeSecrets.Replace(string(f.Data))), Mode: 0o644}
		}
	}
	list := &diag.List{}
	program, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(program, list)

	return list.Sorted()
}

func rendered(t *testing.T, findings []*diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Text(&b, findings, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

func cases(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}

	return files
}

// checkOf returns the name of the check that a case is about: err/no-exit.txtar and err/no-exit_group.txtar are cases of
// no-exit.
func checkOf(file string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "_")
	return name
}

func parse(t *testing.T, file string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}

	return a
}

// Every case in err gives the text in its file want, byte for byte, and finds what it is called after.
func TestErr(t *testing.T) {
	for _, file := range cases(t, "err") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a := parse(t, file)
			findings := compile(t, a)
			got := rendered(t, findings)
			if *update {
				setWant(t, file, a, got)
			}
			if want := wantOf(a); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if !finds(findings, checkOf(file)) {
				t.Errorf("%s is not found", checkOf(file))
			}
		})
	}
}

// Every case in ok is a near miss of the check that it is called after: nothing is found.
func TestOK(t *testing.T) {
	for _, file := range cases(t, "ok") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if diag.Lookup(checkOf(file)) == nil {
				t.Errorf("%s is no check", checkOf(file))
			}
			if got := rendered(t, compile(t, parse(t, file))); got != "" {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func finds(findings []*diag.Diagnostic, name string) bool {
	for _, d := range findings {
		if d.Check.Name == name {
			return true
		}
	}

	return false
}

func wantOf(a *txtar.Archive) string {
	for _, f := range a.Files {
		if f.Name == wantFile {
			return string(f.Data)
		}
	}

	return ""
}

func setWant(t *testing.T, file string, a *txtar.Archive, text string) {
	t.Helper()
	for i, f := range a.Files {
		if f.Name == wantFile {
			a.Files = append(a.Files[:i], a.Files[i+1:]...)
			break
		}
	}
	a.Files = append(a.Files, txtar.File{Name: wantFile, Data: []byte(text)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ofOutput are the checks whose findings are made where generated files and the user's Go are looked at.
var ofOutput = map[string]bool{
	"stale-output": true, "edited-output": true, "orphan-output": true, "unimplemented-tool": true,
}

// Every check of the catalogue has a case that it fails and a near miss. A check that is removed fails its case.
func TestEveryCheckHasACaseAndANearMiss(t *testing.T) {
	wrong, right := map[string]bool{}, map[string]bool{}
	for _, file := range cases(t, "err") {
		wrong[checkOf(file)] = true
	}
	for _, file := range cases(t, "ok") {
		right[checkOf(file)] = true
	}
	for _, c := range diag.Checks() {
		if ofOutput[c.Name] {
			continue
		}
		if !wrong[c.Name] {
			t.Errorf("%s has no case in testdata/err", c.Name)
		}
		if !right[c.Name] {
			t.Errorf("%s has no near miss in testdata/ok", c.Name)
		}
	}
}

func TestPassesAreCalledAfterChecks(t *testing.T) {
	known := map[string]bool{}
	for _, pass := range check.Passes() {
		if diag.Lookup(pass.Name) == nil {
			t.Errorf("pass %s is called after no check", pass.Name)
		}
		if known[pass.Name] {
			t.Errorf("two passes are called %s", pass.Name)
		}
		known[pass.Name] = true
	}
}
