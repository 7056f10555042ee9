//go:build unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// become replaces this process by the binary; it returns only if that fails.
func become(dir, binary string, args, environ []string) error {
	if err := os.Chdir(dir); err != nil {
		return err
	}

	return syscall.Exec(binary, append([]string{binary}, args...), environ)
}

// keepInterrupts keeps the interrupts of the terminal from a command, which is to be stopped in
// order.
func keepInterrupts(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a command that has been started after keepInterrupts, and the processes that it
// has started.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
