package command

import (
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

const withMCP = "-- agentc.yaml --\nentrypoint: critic\ninclude: [mcp]\n"

// A binary has a part, and the modules that the part needs, if its project includes it; else it has
// agentc's own module and no other.
func TestPartsInABareFolder(t *testing.T) {
	for name, test := range map[string]struct {
		config string
		deps   bool
		mcp    string
		code   int
	}{
		"without": {"", false, "include: [mcp]", cli.Usage},
		"with":    {withMCP, true, "", cli.Done},
	} {
		dir := unpack(t, t.TempDir(), critic, test.config)
		agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Done, "", "app.exe for ")
		info, err := buildinfo.ReadFile(filepath.Join(dir, "app.exe"))
		if err != nil {
			t.Fatal(err)
		}
		var deps []string
		for _, d := range info.Deps {
			deps = append(deps, d.Path)
		}
		if list := strings.Join(deps, " "); strings.Contains(list, "modelcontextprotocol") != test.deps || len(deps) > 1 != test.deps {
			t.Errorf("%s include the binary has %s", name, list)
		}
		cmd := exec.Command(filepath.Join(dir, "app.exe"), "mcp", "--store", "none")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != test.code || !strings.Contains(string(out), test.mcp) {
			t.Errorf("%s include mcp ends with %d: %s", name, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// A part of the runtime's own module is there without anything else being needed.
func TestPartOfTheRuntime(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\nentrypoint: critic\ninclude: [serve]\n")
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Done, "", "app.exe for ")
	info, err := buildinfo.ReadFile(filepath.Join(dir, "app.exe"))
	if err != nil || len(info.Deps) > 1 {
		t.Errorf("the binary needs %d modules, %v", len(info.Deps), err)
	}
	cmd := exec.Command(filepath.Join(dir, "app.exe"), "serve", "--max-runs", "0")
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != cli.Usage || !strings.Contains(string(out), "--max-runs is a number") {
		t.Errorf("serve ends with %d: %s", cmd.ProcessState.ExitCode(), out)
	}
}

// In a module that lacks the part, the one command that adds it is printed.
func TestPartsInAModule(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, withMCP, userModule(t))
	part := filepath.Join(repository(t), "runtime", "mcp")
	const needs = "include: [mcp] needs the module github.com/agentc-dev/agentc/runtime/mcp, which your go.mod does not require yet. Run in this folder:\n  "
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Problem, "", needs+"go mod edit -replace github.com/agentc-dev/agentc/runtime/mcp="+
		cli.Quote(part)+" && go get github.com/agentc-dev/agentc/runtime/mcp@v0.0.0\n")
	asReleased(t, "v1.2.3")
	agentc(dir, "", "generate").want(t, cli.Done, "", needs+"go get github.com/agentc-dev/agentc/runtime/mcp@v1.2.3 github.com/agentc-dev/agentc/cmd/agentc@v1.2.3\n")
}
