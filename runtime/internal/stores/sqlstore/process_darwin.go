package sqlstore

import (
	"errors"
	"os"
	"syscall"
)

// identifyProcess identifies this process.
func identifyProcess() (process, error) {
	boot, err := syscall.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return process{}, err
	}
	host, err := os.Hostname()

	return process{Host: host, Boot: boot, PID: os.Getpid()}, err
}

// hasEnded reports whether it is certain that a process has ended. One whose number a later process
// has is not known to have ended.
func hasEnded(pid int, _ uint64) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
