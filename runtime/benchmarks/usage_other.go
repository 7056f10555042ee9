//go:build !unix

package main

import (
	"os"
	"time"
)

// usageOf knows the time that passed alone.
func usageOf(_ *os.ProcessState, passed time.Duration) usage { return usage{busy: passed} }

// busySoFar is not known.
func busySoFar() time.Duration { return 0 }

// forgetPeak has nothing to do where no peak is known.
func forgetPeak() {}
