//go:build unix

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// Folders without rights are reported in a few lines: one that cannot be read by the commands that
// open a project, one that cannot be written by those that write. A superuser has all rights, so
// the commands are run by a user who has none.
func TestFoldersWithoutRights(t *testing.T) {
	binary, top := ownBinary(t), t.TempDir()
	for _, dir := range []string{home, filepath.Dir(top), top} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	closed, readable := filepath.Join(top, "closed"), unpack(t, filepath.Join(top, "readable"), critic)
	for dir, mode := range map[string]os.FileMode{closed: 0, readable: 0o555} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	}
	refused := func(args ...string) {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Dir = top
		cmd.Env = append(os.Environ(), "HOME="+closed, "XDG_CACHE_HOME="+closed)
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		code, text := cmd.ProcessState.ExitCode(), stderr.String()
		if code == cli.Done || code < 0 || strings.Count(text, "\n") > 6 || !strings.Contains(text, "permission denied") || fault.MatchString(text) || stdout.Len() > 0 {
			t.Errorf("%s: exit code %d; stdout %q, stderr:\n%s", strings.Join(args, " "), code, &stdout, text)
		}
	}
	for _, name := range strings.Fields("generate check run dev build graph can cost preflight models simulate init") {
		refused("-C", closed, name)
	}
	writing := []string{"generate", "add oneshot x", "simulate --write-scripts scripts", "graph -o g.svg"}
	if os.Geteuid() != 0 || othersReach(t) {
		writing = append(writing, "init x") // needs the source of the runtime
	}
	for _, args := range writing {
		refused(append([]string{"-C", readable}, strings.Fields(args)...)...)
	}
}

// othersReach reports whether users other than the owner can reach the source of this package.
func othersReach(t *testing.T) bool {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		var info os.FileInfo
		if info, err = os.Stat(dir); err == nil && info.Mode().Perm()&0o005 != 0o005 {
			return false
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}

	return true
}
