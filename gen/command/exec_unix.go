//go:build unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

var forwardedSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// replaceProcess replaces this process by the binary; it returns only if that fails.
func replaceProcess(dir, binary string, args, environ []string) error {
	if err := os.Chdir(dir); err != nil {
		return err
	}

	return syscall.Exec(binary, append([]string{binary}, args...), environ)
}

// shieldFromInterrupts puts a command into a process group, which interrupts of the terminal do not
// reach, so that it can be stopped in order.
func shieldFromInterrupts(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a command, started after shieldFromInterrupts, and the processes that it has
// started.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
