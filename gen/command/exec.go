package command

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// runBinary runs the binary and returns an error with its exit code. If agentc has the streams of
// the process, it replaces itself by the binary where the system allows that, so that signals, the
// terminal and the exit code need no forwarding. Otherwise the binary is a child, and signals are
// forwarded to it.
func runBinary(c *cli.Call, binary string, args, environ []string) error {
	stdout := c.Stdout
	if file, ok := c.File(stdout); ok {
		stdout = file // the binary writes to the file itself
	}
	if c.Stdin == os.Stdin && stdout == os.Stdout && c.Stderr == os.Stderr {
		if err := replaceProcess(c.Dir, binary, args, environ); err != nil {
			return err
		}
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = c.Dir, environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, stdout, c.Stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, forwardedSignals...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}

	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // an error means that it has ended
		case err := <-done:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() >= 0 {
				return c.Exit(exit.ExitCode())
			}
			return err
		}
	}
}
