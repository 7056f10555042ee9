package cli

// Screen reports whether output on w can be overwritten: w is a terminal that supports escape sequences.
func (e *Env) Screen(w any) bool {
	f, ok := File(w)

	return ok && e.Getenv("TERM") != "dumb" && Terminal(w) && draws(f.Fd())
}

// ReadKeys has the terminal that is stdin deliver each key when it is pressed, without showing it, until restore is
// called. It reports false if stdin is not a terminal.
func (e *Env) ReadKeys() (restore func(), ok bool) {
	f, ok := File(e.Stdin)
	if !ok {
		return nil, false
	}

	return readKeys(f.Fd())
}

// Size returns the size of the terminal w in cells: 80 by 24 if it is not known.
func Size(w any) (columns, rows int) {
	if f, ok := File(w); ok {
		columns, rows = sizeOf(f.Fd())
	}
	if columns < 1 || rows < 1 {
		return 80, 24
	}

	return columns, rows
}
