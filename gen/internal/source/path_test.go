package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

func TestInside(t *testing.T) {
	for _, tt := range []struct {
		base, name, want string
	}{
		{".", "a.yaml", "a.yaml"},
		{"workflows", "../parts/./x/../a.yaml", "parts/a.yaml"},
		{"workflows", "..", "."},
		{"a/b", "../../c", "c"},
		{"workflows", "../../a.yaml", ""},
		{".", "..", ""},
		{".", "/etc/passwd", ""},
		{".", `a\b`, ""},
		{".", "C:x", ""},
		{".", "a\x00b", ""},
		{".", "", ""},
	} {
		got, ok := source.ResolvePath(tt.base, tt.name)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%q from %q: got %q, %t, want %q", tt.name, tt.base, got, ok, tt.want)
		}
	}
}

// TestFiles: a file is one that can be read; a folder, what stands below a file and a name that no file can have are
// none.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, target := range map[string]string{"link": "file", "broken": "nowhere", "folder/up": ".."} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, file); err != nil {
			t.Skip("the file system has no links")
		}
	}
	for _, name := range []string{"file", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fsys := os.DirFS(dir)
	for name, want := range map[string]bool{
		"file": true, "link": true, "broken": false, "folder": false, "file/x": false, "nothing": false,
		strings.Repeat("x", 5000): false, "..": false,
	} {
		if got, err := source.HasFile(fsys, name); got != want || err != nil {
			t.Errorf("%.20s: got %t, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"file": "", "link": "link", "folder/up/file": "folder/up", "nothing": "", "nothing/link": ""} {
		if got := source.FirstLink(fsys, name); got != want {
			t.Errorf("%s: link %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"file": "", "link": "", "folder/up/file": "", "nothing": ""} {
		if got := source.EscapingLink(fsys, name); got != want {
			t.Errorf("%s: link %q out of the project, want %q", name, got, want)
		}
	}
	if names, err := source.Names(fsys, "."); err != nil || strings.Join(names, " ") != "broken file folder link" {
		t.Errorf("names %q: %v", names, err)
	}
	if names, err := source.Names(fsys, "nothing"); err != nil || names != nil {
		t.Errorf("names of nothing %q: %v", names, err)
	}
}
