package shell

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
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

	outputs, out, errs := &pipes{}, &output{max: k.MaxOutput}, &output{max: k.MaxOutput}
	defer outputs.close()
	stdout, err := outputs.into(out)
	if err != nil {
		return "", err
	}
	stderr, err := outputs.into(errs)
	if err != nil {
		return "", err
	}
	g.cmd.Stdout, g.cmd.Stderr = stdout, stderr
	if err := g.start(); err != nil {
		return "", err
	}
	outputs.closeWriters()

	err = g.wait()
	outputs.drain()

	return result(out, errs), status(err)
}

// status says how a command ended; nil if well.
func status(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return errors.New(exit.ProcessState.String())
	}

	return err
}

// pipes are the outputs of a command. They are files, so that the end of the command can be recognised by the end of its outputs.
type pipes struct {
	copying          sync.WaitGroup
	readers, writers []*os.File
}

// into returns what a command has to write to so that it arrives at o.
func (p *pipes) into(o *output) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.readers, p.writers = append(p.readers, r), append(p.writers, w)
	p.copying.Add(1)
	go func() {
		defer p.copying.Done()
		_, _ = io.Copy(o, r)
	}()

	return w, nil
}

// closeWriters closes what only the command has to hold.
func (p *pipes) closeWriters() { closeAll(p.writers) }

// drain waits until everything that was written has arrived, for as long as grace lasts.
func (p *pipes) drain() {
	late := time.AfterFunc(grace, func() { closeAll(p.readers) })
	p.copying.Wait()
	late.Stop()
}

// close gives everything back.
func (p *pipes) close() {
	closeAll(p.writers)
	closeAll(p.readers)
	p.copying.Wait()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
