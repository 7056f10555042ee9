//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// usageOf reads the usage of a finished command. The peak is that of the largest process, not of their sum.
func usageOf(state *os.ProcessState) usage {
	resources, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}
	}
	peak := int64(resources.Maxrss) // 32 bits on some systems
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // kilobytes everywhere but on Apple's systems
	}

	return usage{peak: peak}
}
