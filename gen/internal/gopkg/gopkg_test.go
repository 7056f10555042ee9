package gopkg

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes a txtar archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	return dir
}

func TestUsesAgentc(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		dir  string
		want bool
	}{
		"agentc itself": {root, true},
		"inside":        {filepath.Join(root, "gen"), true},
		"no module":     {t.TempDir(), false},
		"another one":   {unpack(t, "-- go.mod --\nmodule x\n\ngo 1.25.0\n"), false},
		"requires it":   {unpack(t, "-- go.mod --\nmodule x\n\ngo 1.25.0\n\nrequire "+Agentc+" v0.0.0\n\nreplace "+Agentc+" => "+root+"\n"), true},
	}
	for name, test := range tests {
		if got, err := UsesAgentc(t.Context(), test.dir); err != nil || got != test.want {
			t.Errorf("%s: %v, %v; want %v", name, got, err, test.want)
		}
	}

	if _, err := UsesAgentc(t.Context(), unpack(t, "-- go.mod --\nmodul x\n")); err == nil {
		t.Error("a faulty go.mod is no error")
	}
}

func TestMainPackage(t *testing.T) {
	const (
		module = "-- go.mod --\nmodule x\n\ngo 1.25.0\n"
		top    = "-- main.go --\npackage main\n\nfunc main() {}\n"
		lib    = "-- lib.go --\npackage lib\n"
		one    = "-- cmd/one/main.go --\npackage main\n\nfunc main() {}\n"
		two    = "-- cmd/two/main.go --\npackage main\n\nimport \"x/notyet\"\n\nfunc main() { notyet.Run() }\n"
		tools  = "-- cmd/internal/tools.go --\npackage internal\n"
		agents = "-- agents/agentc_gen.go --\npackage agents\n"
		desk   = "-- internal/desk/desk.go --\npackage desk\n\nimport _ \"x/agents\"\n"
		three  = "-- tool/three/main.go --\npackage main\n\nimport _ \"x/internal/desk\"\n\nfunc main() {}\n"
		four   = "-- tool/four/main.go --\npackage main\n\nimport _ \"x/agents\"\n\nfunc main() {}\n"
	)
	tests := []struct {
		archive, want string
		main          string
		err           string
	}{
		{module, "", "", ""},
		{module + lib, "", "", ""},
		{module + top, "", ".", ""},
		{module + top + one + two, "", ".", ""},
		{module + lib + two + tools, "", "./cmd/two", ""},
		{module + one + two, "", "", "several packages main could be the project's program; choose one with --main: ./cmd/one, ./cmd/two"},
		{module + one + two, "cmd/two", "./cmd/two", ""},
		{module + one + two + tools, "cmd/internal", "", "--main cmd/internal: there is no package main"},
		{module + one, "cmd/none", "", "--main cmd/none: there is no package main"},
		{module + agents + desk + three, "", "./tool/three", ""},
		{module + agents + desk + three + one + two, "", "./tool/three", ""},
		{module + agents + desk + three + top, "", ".", ""},
		{module + agents + desk + three + four, "", "", "several packages main could be the project's program; choose one with --main: ./tool/four, ./tool/three"},
		{module + agents + desk, "", "", ""},
	}
	for _, test := range tests {
		got, err := Main(t.Context(), unpack(t, test.archive), test.want, "agents")
		if err != nil && err.Error() == test.err {
			continue
		}
		if err != nil || got != test.main || test.err != "" {
			t.Errorf("Main(%q, %q) = %q, %v; want %q, %q", test.archive, test.want, got, err, test.main, test.err)
		}
	}
	var many *ManyMainsError
	if _, err := Main(t.Context(), unpack(t, module+one+two), "", "agents"); !errors.As(err, &many) || len(many.Folders) != 2 {
		t.Errorf("error %v", err)
	}
}

const project = `
-- go.mod --
module x

go 1.25.0
-- agents/agentc_gen.go --
package agents

import "context"

type SearchInput struct{ Query string }

type Tools interface {
	Read(ctx context.Context, id string) (string, error)
	Search(ctx context.Context, in SearchInput) (string, error)
}

type App struct{}

func New(tools Tools) *App { return &App{} }
`

func TestImportPath(t *testing.T) {
	dir := unpack(t, project)
	if got, err := ImportPath(t.Context(), dir, "agents"); err != nil || got != "x/agents" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ImportPath(t.Context(), dir, "nowhere"); err == nil {
		t.Errorf("%q is a package", got)
	}
	spaced := filepath.Join(dir, "with a space")
	if err := os.MkdirAll(filepath.Join(spaced, "agents"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(spaced, "agents", "a.go"), []byte("package agents\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ImportPath(t.Context(), spaced, "agents"); err == nil || !strings.Contains(err.Error(), "invalid char ' '") {
		t.Errorf("a path with a space: %v", err)
	}
}
