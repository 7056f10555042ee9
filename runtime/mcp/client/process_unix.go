//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// common are the variables that programs need to run.
var common = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR", "TERM"}

// setProcessGroup gives a command a process group of its own.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endsWithUs(cmd.SysProcAttr)
}

// A group has its number for as long as one of its processes lives; when none does any more, there
// was no time for another group to get the same number.

func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
func killGroup(cmd *exec.Cmd)      { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
