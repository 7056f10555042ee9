package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

var created = []File{
	{Name: "one.txt", Content: []byte("1")},
	{Name: "a/b/two.txt", Content: []byte("2")},
	{Name: "a/c/three.txt", Content: []byte("3")},
}

func TestCreate(t *testing.T) {
	dir, disk := project(t, map[string]string{"a/old": "old"})
	undo, err := Create(disk, created)
	if err != nil {
		t.Fatal(err)
	}
	got := snapshot(t, dir)
	if len(got) != 4 || got["one.txt"] != "1" || got["a/b/two.txt"] != "2" || got["a/c/three.txt"] != "3" {
		t.Errorf("the folder holds %v", got)
	}

	// What others have put into a new folder in the meantime stays.
	if err := os.WriteFile(filepath.Join(dir, "a", "c", "other"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := undo(); err != nil {
		t.Error(err)
	}
	got = snapshot(t, dir)
	if _, there := got["a/c/other"]; len(got) != 2 || !there {
		t.Errorf("after undo the folder holds %v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder a/b: %v", err)
	}
}

func TestCreateOverwritesNothing(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"one.txt exists":                     {"one.txt": ""},
		"one.txt exists\na/b/two.txt exists": {"one.txt": "", "a/b/two.txt": "", "a/b/other": ""},
		"a exists":                           {"a": ""},
		"a/b exists":                         {"a/b": ""},
		"a/b/two.txt exists\na/c/three.txt exists": {"a/b/two.txt/x": "", "a/c/three.txt": ""},
	} {
		dir, disk := project(t, files)
		_, err := Create(disk, created)
		var conflict *ConflictError
		if !errors.As(err, &conflict) || conflict.Error() != name {
			t.Errorf("%v, want %s", err, name)
		}
		if got := snapshot(t, dir); len(got) != len(files) {
			t.Errorf("%s: the folder holds %v", name, got)
		}
	}
}

func TestCreateStaysInTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows links need a privilege")
	}
	dir, disk := project(t, map[string]string{"x": ""})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(disk, created); err == nil {
		t.Error("a link that leads outside is followed")
	}
	if got := snapshot(t, outside); len(got) != 0 {
		t.Errorf("outside there is %v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "one.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one.txt was written: %v", err)
	}
}

func TestAFailureOfCreateLeavesNothing(t *testing.T) {
	failures := 0
	for n := 1; ; n++ {
		dir, disk := project(t, map[string]string{"old": ""})
		if _, err := Create(&faulty{FS: disk, fail: n}, created); err == nil {
			break
		} else if !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		failures++
		if got := snapshot(t, dir); len(got) != 1 {
			t.Errorf("operation %d: the folder holds %v", n, got)
		}
		if _, err := os.Stat(filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("operation %d: the folder a: %v", n, err)
		}
	}
	if failures != 6 {
		t.Errorf("%d operations failed, want 6: three folders and three files", failures)
	}
}
