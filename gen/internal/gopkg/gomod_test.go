package gopkg

import (
	"path/filepath"
	"reflect"
	"testing"
)

func TestModuleAround(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	dir := unpack(t, `
-- go.mod --
module example.org/x

go 1.25.0

tool example.org/y/cmd/y

require example.org/y v1.2.3

require example.org/z v0.1.0 // indirect
-- deep/er/file --
`)
	m, err := ModuleAround(t.Context(), filepath.Join(dir, "deep", "er"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Module{
		Dir: dir, Path: "example.org/x",
		Requires: []Requirement{{"example.org/y", "v1.2.3"}, {"example.org/z", "v0.1.0"}},
		Tools:    []string{"example.org/y/cmd/y"},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, want %+v", m, want)
	}
	for folder, want := range map[string]string{"": "example.org/x", "deep/er": "example.org/x/deep/er", "not/yet": "example.org/x/not/yet"} {
		if got, err := m.ImportPath(filepath.Join(dir, filepath.FromSlash(folder))); err != nil || got != want {
			t.Errorf("%s: %s, %v", folder, got, err)
		}
	}

	if m, err := ModuleAround(t.Context(), t.TempDir()); m != nil || err != nil {
		t.Errorf("no module: %v, %v", m, err)
	}
	if _, err := ModuleAround(t.Context(), unpack(t, "-- go.mod --\nmodul x\n")); err == nil {
		t.Error("a faulty go.mod is no error")
	}
}
