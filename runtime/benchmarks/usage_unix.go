//go:build unix

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// usageOf reads the usage of a finished command. The peak is that of the largest process, not of their sum.
func usageOf(state *os.ProcessState, passed time.Duration) usage {
	resources, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		panic("no resources of a finished command")
	}
	peak := int64(resources.Maxrss) // 32 bits on some systems
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // kilobytes everywhere but on Apple's systems
	}

	return usage{passed: passed, peak: peak, busy: state.UserTime() + state.SystemTime()}
}

// forgetPeak gives back what memory can be given back. On Linux, the peak of a command is at least that of the process that starts it.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // sets the peak to what is held now, where the system has such a file
}

// busySoFar is the processor time of this process.
func busySoFar() time.Duration {
	var resources syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &resources); err != nil {
		return 0
	}

	return time.Duration(resources.Utime.Nano() + resources.Stime.Nano())
}
