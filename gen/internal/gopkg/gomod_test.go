package gopkg

import (
	"path/filepath"
	"reflect"
	"testing"
)

// A go.mod in every form that the go command reads.
func TestReadModule(t *testing.T) {
	dir := unpack(t, `
-- go.mod --
// Deprecated: use another one.
module "example.org/x" // ours

go 1.25.0

tool (
	example.org/y/cmd/y // a comment
	example.org/y/cmd/z
)
require	example.org/y  v1.2.3
require (
	// module example.org/no
	example.org/z v0.1.0 // indirect
	`+"`example.org/w`"+` v0.2.0
)

replace example.org/y => ../y
exclude (
	example.org/z v0.2.0
)
`)
	want := &Module{
		Dir: dir, Path: "example.org/x",
		Requires: []Requirement{{"example.org/y", "v1.2.3"}, {"example.org/z", "v0.1.0"}, {"example.org/w", "v0.2.0"}},
		Tools:    []string{"example.org/y/cmd/y", "example.org/y/cmd/z"},
	}
	m, err := ReadModule(filepath.Join(dir, "go.mod"))
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, %v, want %+v", m, err, want)
	}
	if !m.Mentions("example.org/x") || !m.Mentions("example.org/w") || m.Mentions("example.org/no") {
		t.Error("it mentions other modules")
	}
	if _, err := ReadModule(filepath.Join(t.TempDir(), "go.mod")); err == nil {
		t.Error("a go.mod that is not there is no error")
	}
}

// Without the go command the nearest go.mod counts.
func TestModuleAroundWithoutGo(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule example.org/x\n-- deep/er/file --\n")
	t.Setenv("PATH", t.TempDir())
	m, err := ModuleAround(t.Context(), filepath.Join(dir, "deep", "er"))
	if err != nil || m == nil || m.Path != "example.org/x" || m.Dir != dir {
		t.Errorf("got %+v, %v", m, err)
	}
}
