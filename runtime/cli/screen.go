package cli

// Screen reports whether text on w can be drawn over: w is a terminal that obeys escape sequences.
func (e *Env) Screen(w any) bool {
	f, ok := File(w)

	return ok && e.Getenv("TERM") != "dumb" && Terminal(w) && draws(f.Fd())
}

// Size returns the size of the terminal w in cells: that of the oldest terminals where nobody knows.
func Size(w any) (columns, rows int) {
	if f, ok := File(w); ok {
		columns, rows = sizeOf(f.Fd())
	}
	if columns < 1 || rows < 1 {
		return 80, 24
	}

	return columns, rows
}
