package command

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The scripts that simulate writes for an example are played by run to the end.
func TestRunPlaysTheScriptsOfSimulate(t *testing.T) {
	dir := t.TempDir()
	project, err := filepath.Abs("../../examples/support")
	if err != nil {
		t.Fatal(err)
	}
	simulated := agentc(dir, "", "simulate", "--write-scripts", "scripts", project)
	simulated.want(t, cli.Done, "support    5 of 5 states, 7 of 7 rows\n")
	scripts, err := os.ReadDir(filepath.Join(dir, "scripts"))
	if err != nil || len(scripts) < 3 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	for _, script := range scripts {
		t.Log(script.Name())
		file := filepath.Join("scripts", script.Name())
		agentc(dir, "", "run", "--script", file, project, "a task").want(t, cli.Done, "An answer of ")
	}
}

// Somewhere below the folder that a link leads to is as good as anywhere.
func TestScriptsBelowALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows links need a privilege")
	}
	dir := unpack(t, t.TempDir(), critic)
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "simulate", "--write-scripts", "link", ".").want(t, cli.Done, "critic  3 of 3")
	agentc(dir, "", "simulate", "--write-scripts", "link/more/scripts", ".").want(t, cli.Done, "critic  3 of 3")
	for _, folder := range []string{"", "more/scripts"} {
		if found, err := filepath.Glob(filepath.Join(elsewhere, folder, "critic.*.yaml")); err != nil || len(found) == 0 {
			t.Errorf("no scripts in %q: %v", folder, err)
		}
	}
}
