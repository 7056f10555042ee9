package stats

// Calls is a number of calls of models. It ends at [Most].
type Calls uint64

// Most stands for itself and for everything beyond: it is the largest integer that every reader of JSON takes as it is.
const Most Calls = 1<<53 - 1

func (c Calls) plus(d Calls) Calls {
	if c > Most-d {
		return Most
	}

	return c + d
}

func (c Calls) times(n int) Calls {
	if n <= 0 || c == 0 {
		return 0
	}
	if c > Most/Calls(n) {
		return Most
	}

	return c * Calls(n)
}
