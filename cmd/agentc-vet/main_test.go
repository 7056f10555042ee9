package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/vet"
)

// binary is agentc-vet, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "agentc-vet-*")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "agentc-vet.exe")
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
			panic(string(out))
		}

		return m.Run()
	}())
}

// govet runs go vet with agentc-vet in dir and returns what it finds, by file and place. Whatever
// else it says is a failure.
func govet(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + binary}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}

	var findings []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "#") {
			findings = append(findings, filepath.ToSlash(line))
		}
	}
	slices.Sort(findings)
	if found := len(findings) > 0; found != (err != nil) {
		t.Errorf("%d findings, and go vet says %v", len(findings), err)
	}

	return strings.Join(findings, "")
}

func TestOneFaultOfEachKind(t *testing.T) {
	dir := unpack(t, "testdata/faults.txtar")
	compare(t, dir, "want", govet(t, dir, "./wrong"))
	if found := govet(t, dir, "./right"); found != "" {
		t.Errorf("the program in order:\n%s", found)
	}

	if found := govet(t, dir, "-fix", "./wrong"); found != "" {
		t.Errorf("go vet -fix says\n%s", found)
	}
	compare(t, dir, "left", govet(t, dir, "./wrong"))
}

// Facts about a type come through packages that only pass its values on, one above the other.
func TestATypeOfAPackageThatIsNotImported(t *testing.T) {
	dir := unpack(t, "testdata/far.txtar")
	compare(t, dir, "want", govet(t, dir, "./hall"))
}

func TestTheExamplesAreInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses all examples with what they import; make test-slow does")
	}
	if found := govet(t, "../..", "./examples/..."); found != "" {
		t.Error(found)
	}
}

func TestHelp(t *testing.T) {
	for _, command := range []string{"help", "--help", "-h"} {
		out, err := exec.Command(binary, command).CombinedOutput()
		if err != nil {
			t.Errorf("agentc-vet %s: %v", command, err)
		}
		for _, a := range vet.Analyzers() {
			if title, _, _ := strings.Cut(a.Doc, "\n"); !strings.Contains(string(out), a.Name+" ") || !strings.Contains(string(out), title) {
				t.Errorf("agentc-vet %s does not list %s:\n%s", command, a.Name, out)
			}
		}
	}
	for _, a := range vet.Analyzers() {
		_, text, _ := strings.Cut(a.Doc, "\n\n")
		if out, err := exec.Command(binary, "help", a.Name).CombinedOutput(); err != nil || !strings.Contains(string(out), text) {
			t.Errorf("agentc-vet help %s: %v\n%s", a.Name, err, out)
		}
	}
}

func TestACommandLineThatIsNotOfTheGoCommand(t *testing.T) {
	for _, line := range []string{"", "./...", "-keytext ./...", "main.go"} {
		out, err := exec.Command(binary, strings.Fields(line)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || string(out) != usage {
			t.Errorf("agentc-vet %s: %v\n%s", line, err, out)
		}
	}
}

// unpack writes the files of an archive into a module that uses the examples, and returns its
// folder.
func unpack(t *testing.T, path string) string {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/house\n\ngo 1.25.0\n\n"+
		"require github.com/agentc-dev/agentc v0.0.0\n\nreplace github.com/agentc-dev/agentc => "+root+"\n"))

	return dir
}

// compare compares findings with those that a file of dir lists.
func compare(t *testing.T, dir, file, found string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	if found != string(want) {
		t.Errorf("%s:\n%s\nfound:\n%s", file, want, found)
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
