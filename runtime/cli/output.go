package cli

import (
	"errors"
	"io"
	"os"
	"sync"
)

// output is stdout as commands have it: it remembers the first error, so that what could not be written is reported even where a
// command does not look. Nothing is written after that, since data with a gap in it would pass for whole.
type output struct {
	w    io.Writer
	mu   sync.Mutex
	lost *lostError
}

// lostError says that data did not get to stdout.
type lostError struct {
	err error
	// reported says that the loss was reported.
	reported bool
}

func (e *lostError) Error() string { return e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

// Write implements io.Writer. A reader that has closed its end needs no more: writing to it is no error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost != nil {
		return 0, o.lost
	}
	n, err := o.w.Write(p)
	switch {
	case err == nil:
		return n, nil
	case readerGone(err):
		o.w = io.Discard
		return len(p), nil
	}
	o.lost = &lostError{err: err}

	return n, o.lost
}

// end returns the exit code of a command that has ended with code: one whose data is lost has failed, and the person knows.
func (o *output) end(name string, env *Env, code int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost == nil {
		return code
	}
	if !o.lost.reported {
		env.report("%s: %v\n", name, o.lost)
	}

	return Failure
}

// noteReported notes that the lost data is reported, if a message is made of it among others.
func noteReported(args []any) {
	for _, arg := range args {
		var lost *lostError
		if err, ok := arg.(error); ok && errors.As(err, &lost) {
			lost.reported = true
		}
	}
}

// File returns the file that v, a reader or a writer, is or writes to.
func (*Env) File(v any) (f *os.File, ok bool) {
	if o, is := v.(*output); is {
		o.mu.Lock()
		defer o.mu.Unlock()
		v = o.w
	}
	f, ok = v.(*os.File)

	return f, ok
}
