package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress tells a person at a terminal what is being measured, in one line that goes away. Anywhere else it is silent.
type progress struct {
	w     io.Writer
	start time.Time
	// what is being measured.
	what string
}

// newProgress returns a progress that writes to w if that is a terminal.
func newProgress(w io.Writer) *progress {
	file, ok := w.(*os.File)
	if !ok {
		return &progress{}
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}

	return &progress{w: w, start: time.Now()}
}

// say replaces the line.
func (p *progress) say(format string, args ...any) {
	p.what = fmt.Sprintf(format, args...)
	if p.w != nil {
		fmt.Fprintf(p.w, "\r\x1b[K%4.0f s  %s", time.Since(p.start).Seconds(), p.what)
	}
}

// done removes the line.
func (p *progress) done() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
