//go:build !unix

package main

import (
	"os"
	"time"
)

// usageOf knows the time that passed alone.
func usageOf(_ *os.ProcessState, passed time.Duration) usage {
	return usage{passed: passed, busy: passed}
}

var began = time.Now()

// busySoFar is the time that has passed: processor time is not known.
func busySoFar() time.Duration { return time.Since(began) }

// forgetPeak has nothing to do where no peak is known.
func forgetPeak() {}
