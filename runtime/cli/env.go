package cli

import (
	"io"
	"path/filepath"
)

// Env is the environment of a command, which a test can replace.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Dir is the working directory, absolute; "": that of the process. -C changes it.
	Dir string
	// Getenv returns an environment variable; "" if it is not set. nil: of the process.
	Getenv func(string) string

	color string // of --color: auto, always or never
}

// Path returns the path of a file that an argument names, relative to the working directory.
func (e *Env) Path(arg string) string {
	if filepath.IsAbs(arg) {
		return filepath.Clean(arg)
	}

	return filepath.Join(e.Dir, arg)
}

// Rel returns a file's name for messages: relative to the working directory, with forward slashes.
// A file on another volume keeps its name.
func (e *Env) Rel(path string) string {
	if rel, err := filepath.Rel(e.Dir, path); err == nil {
		path = rel
	}

	return filepath.ToSlash(path)
}

// Color reports whether text for w is coloured: as --color says; else never with NO_COLOR, always
// with CLICOLOR_FORCE unless that is 0, and otherwise on a terminal, unless TERM is dumb.
func (e *Env) Color(w io.Writer) bool {
	switch e.color {
	case "always":
		return true
	case "never":
		return false
	}

	if e.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := e.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}

	return e.Getenv("TERM") != "dumb" && e.IsTerminal(w)
}

// IsTerminal reports whether v, a reader or a writer, is a terminal.
func (e *Env) IsTerminal(v any) bool {
	f, ok := e.File(v)
	return ok && isTerminal(f.Fd())
}

// Screen reports whether output on w can be overwritten: w is a terminal that supports escape
// sequences.
func (e *Env) Screen(w any) bool {
	f, ok := e.File(w)

	return ok && e.Getenv("TERM") != "dumb" && e.IsTerminal(w) && enableEscapes(f.Fd())
}

// ReadKeys has the terminal that is stdin deliver each key when it is pressed, without showing it,
// until restore is called. It reports false if stdin is not a terminal.
func (e *Env) ReadKeys() (restore func(), ok bool) {
	f, ok := e.File(e.Stdin)
	if !ok {
		return nil, false
	}

	return readKeys(f.Fd())
}

// Size returns the size of the terminal w in cells: 80 by 24 if it is not known.
func (e *Env) Size(w any) (columns, rows int) {
	if f, ok := e.File(w); ok {
		columns, rows = sizeOf(f.Fd())
	}
	if columns < 1 || rows < 1 {
		return 80, 24
	}

	return columns, rows
}
