package shell

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// grace is how long the outputs of a command are read after it has ended: what is in them comes at once, and only what has made
// itself independent of the command can hold them open.
const grace = 500 * time.Millisecond

// folderPerm are the permissions of the folder, if it has to be made.
const folderPerm = 0o755

// run runs a command to its end, and returns what it has printed also if it failed.
func (k Tools) run(ctx context.Context, command string, env []string) (printed string, err error) {
	if strings.Contains(command, "\x00") {
		return "", errors.New("it has a NUL character")
	}
	if err := os.MkdirAll(k.Dir, folderPerm); err != nil {
		return "", errors.New("there is no folder to run it in")
	}
	g, err := newGroup(ctx, command)
	if err != nil {
		return "", err
	}
	g.cmd.Dir, g.cmd.Env = k.Dir, env
	hideProgram()

	out, errs := &output{max: k.MaxOutput}, &output{max: k.MaxOutput}
	g.cmd.Stdout, g.cmd.Stderr, g.cmd.WaitDelay = out, errs, grace
	if err := g.start(); err != nil {
		return "", err
	}
	err = g.wait()

	return result(out, errs), status(err)
}

// status returns how a command ended; nil if well.
func status(err error) error {
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
		return errors.New(exit.ProcessState.String())
	case errors.Is(err, exec.ErrWaitDelay): // what it has left behind holds its outputs
		return nil
	}

	return err
}
