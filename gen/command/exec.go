package command

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// start runs the binary; the error has its exit code. If agentc has the process's own streams it
// becomes the binary where the system can do that: signals, the terminal and the exit code then
// need no go-between. Else the binary is a child, to which signals are passed on.
func start(c *cli.Call, binary string, args, environ []string) error {
	stdout := c.Stdout
	if file, ok := c.File(stdout); ok {
		stdout = file // the binary writes to the file itself
	}
	if c.Stdin == os.Stdin && stdout == os.Stdout && c.Stderr == os.Stderr {
		if err := become(c.Dir, binary, args, environ); err != nil {
			return err
		}
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = c.Dir, environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, stdout, c.Stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passedOn...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}

	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // it may have ended
		case err := <-done:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() >= 0 {
				return c.Exit(exit.ExitCode())
			}
			return err
		}
	}
}
