package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// A built binary, alone in an empty folder, runs with a JSON script.
func TestBuiltBinaryStandsAlone(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, `
-- answers.json --
{"draft": [{"finish": {"key": "good", "value": "{{input}}!"}}]}
`)
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Done, "", "app.exe for "+goruntime.GOOS+"/"+goruntime.GOARCH+"\n")
	alone := t.TempDir()
	for _, name := range []string{"app.exe", "answers.json"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(alone, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(alone, "app.exe"), "run", "--script", "answers.json", "x")
	cmd.Dir = alone
	cmd.Env = []string{}
	if out, err := cmd.Output(); err != nil || string(out) != "x!\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestBuildIsReproducible(t *testing.T) {
	for name, extra := range map[string]string{"bare": "", "module": userModule(t)} {
		var binaries []string
		for _, folder := range []string{"one", "another folder"} {
			dir := unpack(t, filepath.Join(t.TempDir(), folder), critic, extra)
			agentc(dir, "", "build", "--target", "linux/arm64").want(t, cli.Done, "", "critic for linux/arm64\n")
			content, err := os.ReadFile(filepath.Join(dir, "critic"))
			if err != nil {
				t.Fatal(err)
			}
			binaries = append(binaries, string(content))
			checkStatic(t, filepath.Join(dir, "critic"))
			if strings.Contains(string(content), dir) {
				t.Errorf("%s: the binary names the folder", name)
			}
		}
		if binaries[0] != binaries[1] {
			t.Errorf("%s: the binaries differ", name)
		}
	}
}

func checkStatic(t *testing.T, name string) {
	t.Helper()
	file, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if libraries, err := file.ImportedLibraries(); file.Machine != elf.EM_AARCH64 || len(libraries) > 0 || file.Section(".symtab") != nil {
		t.Errorf("%s: machine %v, libraries %v, %v, symbols %v", name, file.Machine, libraries, err, file.Section(".symtab"))
	}
}

func TestBuildUsage(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, "-- critic/x --\n")
	agentc(dir, "", "build").want(t, cli.Usage, "", "critic is a folder: name the binary with -o")
	agentc(dir, "", "build", "-o", "x", "--target", "plan9/sparc").want(t, cli.Usage, "", "--target: Go builds nothing for plan9/sparc;")
}

// What stands where the binary shall go is not lost, and a place that cannot be had is told before anything is built.
func TestPlaceOfTheBinary(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	notes := filepath.Join(dir, "agents", "draft", "AGENT.md")
	before := read(t, notes)
	agentc(dir, "", "build", "-o", "agents/draft/AGENT.md").want(t, cli.Usage, "", "agents/draft/AGENT.md exists and is no Go program")
	agentc(dir, "", "build", "-o", "agentc.yaml/x").want(t, cli.Failure, "", "agentc: the binary cannot be written: ")
	if read(t, notes) != before {
		t.Error("the file has changed")
	}

	for range 2 { // the second replaces the first
		agentc(dir, "", "build", "-o", "new folder/ä").want(t, cli.Done, "", "new folder/ä for ")
	}
	if found, err := os.ReadDir(filepath.Join(dir, "new folder")); err != nil || len(found) != 1 {
		t.Errorf("beside the binary: %v, %v", found, err)
	}
}
