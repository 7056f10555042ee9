package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// misspelled is a project with a mistake in each of two files.
var misspelled = strings.NewReplacer("bad: refine", "bad: refien", "pattern: react", "pattren: react").Replace(critic)

// The bytes that no edit touches stay, whatever they are, and so does the mode of the file.
func TestFixKeepsTheBytesOfAFile(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"byte order mark":   func(text string) string { return "\ufeff" + text },
		"other line ends":   func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
		"no last line end":  func(text string) string { return strings.TrimSuffix(text, "\n") },
		"all of them":       func(text string) string { return "\ufeff" + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\r\n") },
		"spaces at the end": func(text string) string { return strings.ReplaceAll(text, "\n", "  \n") + "\n\n" },
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := unpack(t, t.TempDir(), misspelled), relative(t, unpack(t, t.TempDir(), critic))
			for path, content := range want {
				want[path] = change(content)
				name := filepath.Join(dir, path)
				if err := os.WriteFile(name, []byte(change(read(t, name))), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			agentc(dir, "", "check", "--fix", "--strict").want(t, cli.Done, "", "fixed 2 problems in 2 files\nno problems\n")
			for path, content := range relative(t, dir) {
				if content != want[path] {
					t.Errorf("%s is %q, want %q", path, content, want[path])
				}
			}
		})
	}
}

// A file that must not be written is named, and then none is; nothing outside of the project is
// touched.
func TestFixRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows links need a privilege, and modes mean something else")
	}
	outside := unpack(t, t.TempDir(), misspelled)
	draft := filepath.Join("agents", "draft", "AGENT.md")
	before := relative(t, outside)
	cases := []struct {
		name    string
		prepare func(dir string) error
		want    string
	}{
		{"a link", func(dir string) error {
			kept := filepath.Join(dir, "draft.md")
			if err := os.Rename(filepath.Join(dir, draft), kept); err != nil {
				return err
			}
			return os.Symlink(filepath.Join("..", "..", "draft.md"), filepath.Join(dir, draft))
		}, "agentc: agents/draft/AGENT.md is a symbolic link: change the file that it leads to\nagentc: nothing was fixed\n"},
		{"read-only", func(dir string) error { return os.Chmod(filepath.Join(dir, draft), 0o400) },
			"agentc: agents/draft/AGENT.md is read-only\nagentc: nothing was fixed\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := unpack(t, t.TempDir(), misspelled)
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			was := relative(t, dir)
			r := agentc(dir, "", "check", "--fix")
			r.want(t, cli.Problem, "")
			if r.stderr != c.want {
				t.Errorf("stderr is\n%s", r.stderr)
			}
			sameTree(t, was, relative(t, dir))
			sameTree(t, before, relative(t, outside))
		})
	}
}

// The folder of a project may be reached through a link.
func TestFixOfAProjectBehindALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows links need a privilege")
	}
	dir, link := unpack(t, t.TempDir(), misspelled), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	agentc(filepath.Dir(link), "", "check", "--fix", "link").want(t, cli.Done, "", "link/agents/critic/AGENT.md:10:12: fixed:")
}

// On a disk that fails each file is the old or the new one, and the next run finishes the work.
func TestFixOnAFailingDisk(t *testing.T) {
	open := openOutput
	t.Cleanup(func() { openOutput = open })
	old, wanted := relative(t, unpack(t, t.TempDir(), misspelled)), relative(t, unpack(t, t.TempDir(), critic))
	failures := 0
	for n := 1; ; n++ {
		dir := unpack(t, t.TempDir(), misspelled)
		openOutput = func(dir string) (folder, error) {
			disk, err := output.Open(dir)
			return &failingDisk{folder: disk, fail: n}, err
		}
		r := agentc(dir, "", "check", "--fix")
		openOutput = open
		if r.code == cli.Done {
			break
		}
		failures++
		r.want(t, cli.Failure, "", errFull.Error(), "written so far)")
		for path, content := range relative(t, dir) {
			if content != old[path] && content != wanted[path] {
				t.Errorf("operation %d: %s is neither old nor new", n, path)
			}
		}
		agentc(dir, "", "check", "--fix").want(t, cli.Done, "")
		sameTree(t, wanted, relative(t, dir))
	}
	if failures < 6 {
		t.Errorf("only %d operations failed", failures)
	}
}

// What cannot be opened is a failure, not a clean project.
func TestFixWithoutAFolder(t *testing.T) {
	open := openOutput
	t.Cleanup(func() { openOutput = open })
	openOutput = func(string) (folder, error) { return nil, errFull }
	agentc(unpack(t, t.TempDir(), misspelled), "", "check", "--fix").want(t, cli.Failure, "", errFull.Error())
}
