//go:build !unix

package command

import (
	"os"
	"os/exec"
)

// passedOn are signals that this system delivers to the parent alone: an interrupt of the console
// reaches the binary by itself, and must not end agentc before it.
var passedOn = []os.Signal{os.Interrupt}

// become is not possible here: the binary runs as a child.
func become(string, string, []string, []string) error { return nil }

// keepInterrupts keeps the interrupts of the terminal from a command where a system can do that.
func keepInterrupts(*exec.Cmd) {}

// killGroup kills a command that has been started.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
