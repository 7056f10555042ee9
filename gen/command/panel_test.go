package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// TestRunLinksThePanel: the binary of agentc run has the panel although the project does not
// include it, with a package main of the user's as without one.
func TestRunLinksThePanel(t *testing.T) {
	own := "-- main.go --\npackage main\n\nimport (\n\t\"example.org/user/agents\"\n\n\t\"github.com/agentc-dev/agentc/runtime/cli/app\"\n)\n\n" +
		"func main() { app.Main(agents.New()) }\n"
	for name, module := range map[string]string{"bare": "", "own main": userModule(t) + own} {
		dir := unpack(t, t.TempDir(), critic, criticScript, module)
		p := &project{dir: dir}
		result, err := gen.Compile(t.Context(), p.compileOptions())
		if err != nil {
			t.Fatal(err)
		}
		c := &cli.Call{Env: &cli.Env{Stderr: os.Stderr, Dir: dir, Getenv: os.Getenv}, Program: &cli.Program{Name: "agentc"}}
		binary, err := (&linking{c: c, p: p, result: result, panel: true}).link(target{})
		if err != nil {
			t.Fatal(name, err)
		}
		if !carriedBy(t, binary).has(panel) {
			t.Errorf("%s: the binary has no panel", name)
		}
	}
}

// TestVendoredModulesWithoutThePanel: a module that vendors packages has the panel only if it is
// among them.
func TestVendoredModulesWithoutThePanel(t *testing.T) {
	dir := unpack(t, t.TempDir(), "-- go.mod --\nmodule example.org/user\n-- agents/a.go --\npackage agents\n")
	inside := filepath.Join(dir, "agents")
	if !canImportPanel(inside) {
		t.Error("a module that does not vendor has no panel")
	}
	unpack(t, dir, "-- vendor/modules.txt --\n# none\n")
	if canImportPanel(inside) {
		t.Error("the panel is not vendored")
	}
	unpack(t, dir, "-- vendor/"+names.PanelPath+"/part.go --\npackage panel\n")
	if !canImportPanel(inside) {
		t.Error("the panel is vendored")
	}
}
