package output

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// sources are files as a person may have them.
func sources() map[string]string {
	return map[string]string{
		"agents/a/AGENT.md": "\ufeff---\r\nname: b\r\n---",
		"agents/b/AGENT.md": "---\nname: b\n---\n",
		"agentc.yaml":       "entrypoint: a\n",
	}
}

func rename(path string) Change {
	old := sources()[path]
	return Change{Path: path, Old: []byte(old), New: []byte(strings.Replace(old, "name: b", "name: a", 1))}
}

func TestRewriteKeepsModesAndOtherFiles(t *testing.T) {
	dir, disk := project(t, sources())
	private := filepath.Join(dir, "agents", "a", "AGENT.md")
	if err := os.Chmod(private, 0o640); err != nil {
		t.Fatal(err)
	}
	n, err := Rewrite(disk, []Change{rename("agents/a/AGENT.md"), rename("agents/b/AGENT.md")})
	if n != 2 || err != nil {
		t.Fatalf("%d written, %v", n, err)
	}
	want := sources()
	want["agents/a/AGENT.md"] = "\ufeff---\r\nname: a\r\n---"
	want["agents/b/AGENT.md"] = "---\nname: a\n---\n"
	if got := snapshot(t, dir); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(private); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// One file that must not be written is enough for none to be; all such files are named.
func TestRewriteRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows links need a privilege, and modes mean something else")
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "AGENT.md"), []byte(sources()["agents/a/AGENT.md"]), 0o644); err != nil {
		t.Fatal(err)
	}
	link := func(target, name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			name := filepath.Join(dir, name)
			if err := errors.Join(os.RemoveAll(name), os.Symlink(target, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    string
	}{
		{"a link to the outside", link(filepath.Join(outside, "AGENT.md"), "agents/a/AGENT.md"),
			"agents/a/AGENT.md is a symbolic link: change the file that it leads to"},
		{"a link to the inside", link("../b/AGENT.md", "agents/a/AGENT.md"),
			"agents/a/AGENT.md is a symbolic link: change the file that it leads to"},
		{"a folder that is a link", link(outside, "agents/a"),
			"agents/a/AGENT.md is behind the symbolic link agents/a: change the file where it is"},
		{"read-only", func(t *testing.T, dir string) {
			if err := os.Chmod(filepath.Join(dir, "agents/a/AGENT.md"), 0o444); err != nil {
				t.Fatal(err)
			}
		}, "agents/a/AGENT.md is read-only"},
		{"changed", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "agents/a/AGENT.md"), []byte("new"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "agents/a/AGENT.md was changed while agentc was running"},
		{"gone", func(t *testing.T, dir string) {
			err := os.Remove(filepath.Join(dir, "agents/a/AGENT.md"))
			if err != nil {
				t.Fatal(err)
			}
		}, "agents/a/AGENT.md does not exist any more"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir, disk := project(t, sources())
			c.prepare(t, dir)
			before := snapshot(t, outside)
			n, err := Rewrite(disk, []Change{rename("agents/b/AGENT.md"), rename("agents/a/AGENT.md")})
			var conflict *ConflictError
			if n != 0 || !errors.As(err, &conflict) || err.Error() != c.want {
				t.Errorf("%d written, %v", n, err)
			}
			content, err := os.ReadFile(filepath.Join(dir, "agents/b/AGENT.md"))
			if err != nil || string(content) != sources()["agents/b/AGENT.md"] {
				t.Errorf("the other file is %q, %v", content, err)
			}
			if after := snapshot(t, outside); !maps.Equal(before, after) {
				t.Errorf("outside there is %q", after)
			}
		})
	}
}

// Whatever operation fails, each file is the old or the new one, and nothing else lies about that
// the next run would not clear away.
func TestEveryFailureOfRewriteLeavesWholeFiles(t *testing.T) {
	changes := []Change{rename("agents/a/AGENT.md"), rename("agents/b/AGENT.md")}
	failures := 0
	for fail := 1; ; fail++ {
		dir, disk := project(t, sources())
		n, err := Rewrite(&faulty{FS: disk, fail: fail}, changes)
		if err == nil {
			break
		}
		failures++
		got := snapshot(t, dir)
		for i, c := range changes {
			if content := got[c.Path]; content != string(c.New) && content != string(c.Old) || i < n && content != string(c.New) {
				t.Errorf("operation %d, %d written: %s is %q", fail, n, c.Path, content)
			}
		}
		var left []Change
		for _, c := range changes {
			if got[c.Path] == string(c.Old) {
				left = append(left, c)
			}
		}
		if _, err := Rewrite(disk, left); err != nil {
			t.Errorf("operation %d: %v", fail, err)
		}
		if names := slices.Sorted(maps.Keys(snapshot(t, dir))); len(names) != len(sources()) {
			t.Errorf("operation %d: there is %q", fail, names)
		}
	}
	if failures < 6 {
		t.Errorf("only %d operations failed", failures)
	}
}

// What a run that was killed left of a file goes when the file is written again; everything else
// that looks like it stays.
func TestRewriteRemovesLeftovers(t *testing.T) {
	files, dead := sources(), endedProcess(t)
	half := fmt.Sprintf("agents/b/.AGENT.md.%d-1.tmp", dead)
	files[half] = "half"
	files[fmt.Sprintf("agents/b/.notes.md.%d-1.tmp", dead)] = "not of ours"
	files[fmt.Sprintf("agents/a/.AGENT.md.%d-1.tmp", dead)] = "of a file that stays"
	dir, disk := project(t, files)
	if _, err := Rewrite(disk, []Change{rename("agents/b/AGENT.md")}); err != nil {
		t.Fatal(err)
	}
	got := snapshot(t, dir)
	if _, there := got[half]; there || len(got) != len(files)-1 {
		t.Errorf("there is %q", slices.Sorted(maps.Keys(got)))
	}
}
