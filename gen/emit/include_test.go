package emit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/verify"
)

// TestIncluded asserts that a part, and the machines that it drives, stand in the program where the project includes it and nowhere else, and that
// reading back misses it.
func TestIncluded(t *testing.T) {
	const imported = `"github.com/agentc-dev/agentc/runtime/mcp"`
	named := []string{"Parts: []runtime.Part{mcp.Part{}, otel.Part{}}", "Name: \"gate-2\", New"}
	a, err := txtar.ParseFile("testdata/golden/external.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, a.Files)

	for _, file := range emitted(t, p) {
		if strings.Contains(string(file.Content), "mcp") {
			t.Errorf("without include there is a trace of mcp in %s", file.Name)
		}
	}

	p.Include = []ir.Text{{Value: "mcp"}, {Value: "otel"}}
	files := emitted(t, p)
	for i, file := range files {
		text := string(file.Content)
		if strings.Contains(text, imported) != (file.Name == "agentc_gen.go") {
			t.Errorf("%s: the import of mcp is at the wrong place:\n%s", file.Name, text)
		}
		if file.Name != "agentc_gen.go" {
			continue
		}
		for _, name := range named {
			without := strings.Replace(text, name, strings.ReplaceAll(name, "e", "o"), 1)
			if without == text {
				t.Fatalf("the program lacks %s:\n%s", name, text)
			}
			damaged := slices.Clone(files)
			damaged[i].Content = []byte(without)
			if err := verify.Files(p, damaged); !errors.As(err, new(*verify.MismatchError)) {
				t.Errorf("with another %s it is read back with %v", name, err)
			}
		}
	}
}

// The program carries the machines that others drive with any part, or with none; the others only with a part that drives machines.
func TestIncludedWithoutMachines(t *testing.T) {
	for golden, machine := range map[string]string{"external": `Name: "gate-2", New`, "critic": ""} {
		a, err := txtar.ParseFile("testdata/golden/" + golden + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		p := load(t, a.Files)
		p.Include = []ir.Text{{Value: "serve"}}
		files := emitted(t, p)
		shared := slices.IndexFunc(files, func(f emit.File) bool { return f.Name == "agentc_gen.go" })
		text := string(files[shared].Content)
		if !strings.Contains(text, "Parts: []runtime.Part{serve.Part{}}") || strings.Contains(text, "Machines:") != (machine != "") ||
			!strings.Contains(text, machine) {
			t.Errorf("the program is\n%s", text)
		}
		if err := verify.Files(p, files); err != nil {
			t.Error(err)
		}
	}
}

// TestIncludedRemote: with a part whose workers are other processes, the program finds functions and guards by their names; reading back
// misses that.
func TestIncludedRemote(t *testing.T) {
	for golden, names := range map[string][]string{
		"workflow-kinds": {"a.funcByName,", "func (a *App) funcByName(", "temporal.Part{}"},
		"guards":         {"namedGuards(a.guards),", "temporal.Part{}"},
	} {
		a, err := txtar.ParseFile("testdata/golden/" + golden + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		p := load(t, a.Files)
		for _, file := range emitted(t, p) {
			if text := string(file.Content); strings.Contains(text, "funcByName") || strings.Contains(text, "temporal") {
				t.Errorf("without include there is a trace of it in %s", file.Name)
			}
		}

		p.Include = []ir.Text{{Value: "temporal"}}
		files := emitted(t, p)
		at := slices.IndexFunc(files, func(f emit.File) bool { return f.Name == "agentc_gen.go" })
		if err := verify.Files(p, files); err != nil {
			t.Fatal(err)
		}
		text := string(files[at].Content)
		for _, name := range names {
			without := strings.Replace(text, name, strings.ReplaceAll(name, "a", "o"), 1)
			if without == text {
				t.Fatalf("%s: the program lacks %s:\n%s", golden, name, text)
			}
			damaged := slices.Clone(files)
			damaged[at].Content = []byte(without)
			if err := verify.Files(p, damaged); !errors.As(err, new(*verify.MismatchError)) {
				t.Errorf("%s: with another %s it is read back with %v", golden, name, err)
			}
		}
	}
}
