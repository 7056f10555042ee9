//go:build unix

package shell

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// shells are where a shell may be: the tool is called bash, and where there is none another has to do.
var shells = []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash", "/bin/sh"}

// group is a command with all that it starts: a process group of Unix.
type group struct{ cmd *exec.Cmd }

// newGroup makes a command that ends with ctx.
func newGroup(ctx context.Context, command string) (*group, error) {
	for _, path := range shells {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		g := &group{exec.CommandContext(ctx, path, "-c", "--", command)}
		g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		g.cmd.Cancel = g.kill

		return g, nil
	}

	return nil, errors.New("there is no shell here")
}

func (g *group) start() error { return g.cmd.Start() }

// wait waits for the end of the command, and ends what it has left behind. A group has its number for as long as one of its
// processes lives; where none does any more, no one has had the time to get the same number.
func (g *group) wait() error {
	err := g.cmd.Wait()
	_ = g.kill()

	return err
}

func (g *group) kill() error { return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// environment is what a command knows of the program's environment.
func environment(dir string, env func(string) (string, bool)) []string {
	path, ok := env("PATH")
	if !ok || path == "" {
		path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}

	return []string{"PATH=" + path, "HOME=" + dir, "PWD=" + dir, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", "TERM=dumb"}
}
