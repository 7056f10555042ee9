//go:build !unix

package command

import (
	"os"
	"os/exec"
)

// forwardedSignals are the signals that are forwarded to a child. The console sends an interrupt to
// the binary too, and it must not end agentc first.
var forwardedSignals = []os.Signal{os.Interrupt}

// replaceProcess does nothing: this system runs the binary as a child.
func replaceProcess(string, string, []string, []string) error { return nil }

// shieldFromInterrupts does nothing: this system cannot protect a command from interrupts of the
// terminal.
func shieldFromInterrupts(*exec.Cmd) {}

// killGroup kills a started command.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
