package main

import "time"

// usage is what a finished command and the commands that it waited for took.
type usage struct {
	// peak is the most memory that one of them held, in bytes; 0 where the system does not tell.
	peak int64
	// busy is the processor time of all of them; the time that passed where the system does not tell.
	busy time.Duration
}

// A stopwatch measures the processor time of this process, which on a machine that others use as well says more than the time that
// passes; work on two processors counts twice. Where the system does not tell it, the time that passes has to do.
type stopwatch struct {
	start time.Time
	busy  time.Duration
}

func startWatch() stopwatch { return stopwatch{start: time.Now(), busy: busySoFar()} }

// nanoseconds since the start.
func (w stopwatch) nanoseconds() float64 {
	if busy := busySoFar(); busy > 0 {
		return float64((busy - w.busy).Nanoseconds())
	}

	return float64(time.Since(w.start).Nanoseconds())
}
