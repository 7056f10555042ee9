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
type group struct {
	cmd *exec.Cmd
	// guard is the first process of the group. It ends the group when the program ends, however the program ends: it reads from
	// a pipe whose other end, alive, only the program holds.
	guard *exec.Cmd
	alive *os.File
}

// guardScript waits for the end of its input, and kills the process group that it is in.
const guardScript = "read line; kill -KILL 0"

// newGroup makes a command that ends with ctx.
func newGroup(ctx context.Context, command string) (*group, error) {
	for _, path := range shells {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		g := &group{cmd: exec.CommandContext(ctx, path, "-c", "--", command), guard: exec.Command(path, "-c", guardScript)}
		g.guard.Env = []string{} // or it has the program's, with the keys
		g.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		g.cmd.Cancel = g.kill

		return g, nil
	}

	return nil, errors.New("there is no shell here")
}

// start starts the guard, and then the command in its group.
func (g *group) start() error {
	input, alive, err := os.Pipe()
	if err != nil {
		return err
	}
	g.guard.Stdin, g.alive = input, alive
	err = g.guard.Start()
	_ = input.Close()
	if err != nil {
		_ = alive.Close()
		return err
	}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	if err := g.cmd.Start(); err != nil {
		g.end()
		return err
	}

	return nil
}

// wait waits for the end of the command, and ends what it has left behind.
func (g *group) wait() error {
	err := g.cmd.Wait()
	g.end()

	return err
}

// end ends all processes of the group. No other group gets its number before the guard has been waited for.
func (g *group) end() {
	_ = g.kill()
	_ = g.guard.Wait() // it was killed
	_ = g.alive.Close()
}

func (g *group) kill() error { return syscall.Kill(-g.guard.Process.Pid, syscall.SIGKILL) }

// environment is what a command knows of the program's environment.
func environment(dir string, env func(string) (string, bool)) []string {
	path, ok := env("PATH")
	if !ok || path == "" {
		path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	}

	return []string{"PATH=" + path, "HOME=" + dir, "PWD=" + dir, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", "TERM=dumb"}
}
