package cli

import (
	"io"
	"os"
	"sync"
)

// output is stdout as commands have it: it remembers the first error, so that what could not be
// written is reported even where a command does not look. Nothing is written after that, since data
// with a gap in it would pass for whole.
type output struct {
	w    io.Writer
	mu   sync.Mutex
	lost error
}

// Write implements io.Writer. A reader that has closed its end needs no more: writing to it is no
// error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost != nil {
		return 0, o.lost
	}
	n, err := o.w.Write(p)
	if err != nil && readerGone(err) {
		o.w = io.Discard
		return len(p), nil
	}
	o.lost = err

	return n, err
}

// writeError returns why data did not reach stdout; nil if all of it did.
func (o *output) writeError() error {
	o.mu.Lock()
	defer o.mu.Unlock()

	return o.lost
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
