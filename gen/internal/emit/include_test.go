package emit_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestIncluded asserts that a part, and the machines that it drives, are in the program where the
// project includes it and nowhere else.
func TestIncluded(t *testing.T) {
	const imported = `"github.com/agentc-dev/agentc/runtime/mcp"`
	named := []string{"Parts: []compiled.Part{mcp.Part{}, otel.Part{}}", "Name: \"gate-2\", New"}
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
	for _, file := range files {
		text := string(file.Content)
		if strings.Contains(text, imported) != (file.Name == "agentc_gen.go") {
			t.Errorf("%s: the import of mcp is at the wrong place:\n%s", file.Name, text)
		}
		if file.Name != "agentc_gen.go" {
			continue
		}
		for _, name := range named {
			if !strings.Contains(text, name) {
				t.Errorf("the program lacks %s:\n%s", name, text)
			}
		}
	}
}

// TestStore: the part that opens the store is in the program where the project names one, and so is
// its address, whose secrets are in variables.
func TestStore(t *testing.T) {
	a, err := txtar.ParseFile("testdata/golden/critic.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, a.Files)
	p.Include, p.Store = []ir.Text{{Value: "serve"}}, ir.Text{Value: "postgresql://app:${DB_PASSWORD}@db/app"}
	files := emitted(t, p)
	text := string(files[slices.IndexFunc(files, func(f emit.File) bool { return f.Name == "agentc_gen.go" })].Content)
	for _, want := range []string{
		`"github.com/agentc-dev/agentc/runtime/postgres"`, "Parts: []compiled.Part{serve.Part{}, postgres.Part{}}",
		`"postgresql://app:${DB_PASSWORD}@db/app"`, `[]string{"DB_PASSWORD"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the program lacks %s:\n%s", want, text)
		}
	}
}

// The program carries the machines that others drive with any part, or with none; the others only
// with a part that drives machines.
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
		if !strings.Contains(text, "Parts: []compiled.Part{serve.Part{}}") || strings.Contains(text, "Machines:") != (machine != "") ||
			!strings.Contains(text, machine) {
			t.Errorf("the program is\n%s", text)
		}
	}
}

// TestIncludedRemote: with a part whose workers are other processes, the program finds functions
// and guards by their names.
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
		text := string(files[at].Content)
		for _, name := range names {
			if !strings.Contains(text, name) {
				t.Errorf("%s: the program lacks %s:\n%s", golden, name, text)
			}
		}
	}
}
