package files

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/tools"
)

// TestReady: a folder that cannot be written keeps files from being written, and not from being read; nothing is left in one that can be.
func TestReady(t *testing.T) {
	dir := t.TempDir()
	good := Tools{Root: filepath.Join(dir, "not", "yet")}
	if err := good.Ready("files_write"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := Tools{Root: filepath.Join(file, "below")}
	var bad *runtime.BadSettingError
	if err := below.Ready("files_write"); !errors.As(err, &bad) || bad.Name != "files.root" {
		t.Errorf("got %v", err)
	}
	if err := below.Ready("files_read"); err != nil {
		t.Error(err)
	}
}

// use returns the tools below dir as a function of a tool's name and its arguments, in pairs.
func use(t testing.TB, k Tools) func(tool string, args ...string) runtime.ToolResult {
	t.Helper()
	set, err := tools.On(k)(nil)
	if err != nil {
		t.Fatal(err)
	}

	return func(tool string, args ...string) runtime.ToolResult {
		t.Helper()
		in := map[string]string{}
		for i := 0; i < len(args); i += 2 {
			in[args[i]] = args[i+1]
		}
		text, _ := json.Marshal(in)
		result, ok, err := set.Run(context.Background(), runtime.ToolCall{Agent: "a", Tool: rt.Builtin(tool), Args: text})
		if !ok || err != nil {
			t.Fatalf("%s %s: %v, %v", tool, text, ok, err)
		}

		return result
	}
}

// put writes a file of the test, with the folders above it.
func put(t testing.TB, content string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}

	return name
}

// everything is what stands below a folder, with its content, so that a test sees what it did not expect.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)

		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	return all
}

func TestWriteAndRead(t *testing.T) {
	root := filepath.Join(t.TempDir(), "made", "when", "needed")
	call := use(t, Tools{Root: root})

	if got := call("files_read", "path", "a.md").Problem; got != `there is no "a.md"` {
		t.Errorf("without a folder: %q", got)
	}
	for _, content := range []string{"first", "", "ünï 🔑\r\n\x00\ttext\n", strings.Repeat("x", maxSize)} {
		if got := call("files_write", "path", "./reports//2026/a b.md", "content", content); got.Problem != "" {
			t.Fatal(got.Problem)
		}
		if got := call("files_read", "path", "reports/2026/a b.md"); got.Text != content || got.Problem != "" {
			t.Errorf("read %d bytes of %d, %s", len(got.Text), len(content), got.Problem)
		}
	}
	if got := call("files_write", "path", "b.md", "content", "héllo").Text; got != "wrote 6 bytes to b.md" {
		t.Errorf("said %q", got)
	}
	if all := everything(t, root); len(all) != 2 {
		t.Errorf("more than two files: %q", all)
	}
}

func TestFolderIsListed(t *testing.T) {
	root := t.TempDir()
	call := use(t, Tools{Root: root})
	if got := call("files_read", "path", ".").Problem; got != `"." is an empty folder` {
		t.Errorf("got %q", got)
	}
	put(t, "", root, "b.md")
	put(t, "", root, "a", "c.md")
	put(t, "KEY=1", root, ".env")
	if got := call("files_read", "path", ".").Problem; got != `"." is a folder; it has a/, b.md` {
		t.Errorf("got %q", got)
	}
	if got := call("files_read", "path", "a/").Problem; got != `"a" is a folder; it has c.md` {
		t.Errorf("got %q", got)
	}
	for i := range 3 * mostListed {
		put(t, "", root, "many", strings.Repeat("x", i/26+1)+string(rune('a'+i%26)))
	}
	got := call("files_read", "path", "many").Problem
	if !strings.Contains(got, "some of what it has is") || strings.Count(got, ",") != mostListed-1 {
		t.Errorf("got %q", got)
	}
}

func TestSizes(t *testing.T) {
	root := t.TempDir()
	call := use(t, Tools{Root: root, MaxSize: 10})
	put(t, "0123456789", root, "fits")
	put(t, "0123456789a", root, "large")
	if got := call("files_read", "path", "fits"); got.Text != "0123456789" {
		t.Errorf("got %+v", got)
	}
	if got := call("files_read", "path", "large"); got.Text != "" || got.Problem != `"large" is too large: a file may have 10 bytes` {
		t.Errorf("got %+v", got)
	}
	want := `the content of "fits" is too large: it has 11 bytes, and may have 10`
	if got := call("files_write", "path", "fits", "content", "0123456789a"); got.Problem != want {
		t.Errorf("got %+v", got)
	}
	if all := everything(t, root); all["fits"] != "0123456789" || len(all) != 2 {
		t.Errorf("a write that was refused left %q", all)
	}
}

func TestNoText(t *testing.T) {
	root := t.TempDir()
	put(t, "\xff\xfe\x00", root, "image.png")
	if got := use(t, Tools{Root: root})("files_read", "path", "image.png").Problem; got != `"image.png" is not text in UTF-8` {
		t.Errorf("got %q", got)
	}
}

func TestPermissions(t *testing.T) {
	root := t.TempDir()
	call := use(t, Tools{Root: root})
	name := put(t, "old", root, "run.sh")
	for perm, problem := range map[fs.FileMode]string{0o755: "", 0o600: "", 0o444: `"run.sh" may not be used`} {
		if err := os.Chmod(name, perm); err != nil {
			t.Fatal(err)
		}
		if got := call("files_write", "path", "run.sh", "content", "new").Problem; got != problem {
			t.Errorf("%v: %q", perm, got)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Separator == '/' && info.Mode().Perm() != perm {
			t.Errorf("%v became %v", perm, info.Mode())
		}
	}
}

func TestSettings(t *testing.T) {
	file := put(t, "", t.TempDir(), "file")
	for root, problem := range map[string]string{"": "names no folder", file: "is not a folder"} {
		_, err := tools.On(Tools{Root: root})(nil)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || bad.Name != "files.root" || bad.Problem != problem {
			t.Errorf("%q: %v", root, err)
		}
	}
}

// TestSeveralWriters lets many write one file: whoever reads it finds the whole of one of them.
func TestSeveralWriters(t *testing.T) {
	root := t.TempDir()
	call := use(t, Tools{Root: root})
	contents := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15), strings.Repeat("c", 1<<17)}
	call("files_write", "path", "f", "content", contents[0])

	done := make(chan struct{})
	for _, content := range contents {
		go func() {
			defer func() { done <- struct{}{} }()
			for range 30 {
				if got := call("files_write", "path", "f", "content", content); got.Problem != "" && filepath.Separator == '/' {
					t.Error(got.Problem)
				}
			}
		}()
	}
	for running := len(contents); running > 0; {
		select {
		case <-done:
			running--
		default:
			if got := call("files_read", "path", "f"); got.Problem == "" && !slices.Contains(contents, got.Text) {
				t.Fatalf("read a mixture of %d bytes", len(got.Text))
			}
		}
	}
	if all := everything(t, root); len(all) != 1 {
		t.Errorf("%d files are left", len(all))
	}
}

// TestLeftOver: what a process that was killed has left in a folder is removed by the next one that writes there, when it is old.
func TestLeftOver(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * leftAfter)
	for _, name := range []string{"a/.agentc-old.tmp", "a/.agentc-new.tmp", "a/mine.tmp", ".agentc-other.tmp"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err == nil && !strings.Contains(name, "new") {
			err = os.Chtimes(path, old, old)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if result := use(t, Tools{Root: dir})("files_write", "path", "a/b.txt", "content", "x"); result.Problem != "" {
		t.Fatal(result.Problem)
	}
	var left []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			left = append(left, filepath.Base(path))
		}

		return err
	})
	slices.Sort(left)
	if want := []string{".agentc-new.tmp", ".agentc-other.tmp", "b.txt", "mine.tmp"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, want %q, %v", left, want, err)
	}
}
