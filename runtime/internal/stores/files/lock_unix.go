//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// TryLock implements File.
func (f osFile) TryLock() (ok bool, err error) {
	err = flock(f.File, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}

	return err == nil, err
}

// Unlock implements File.
func (f osFile) Unlock() error { return flock(f.File, syscall.LOCK_UN) }

// flock locks or unlocks a file, and tries again when a signal interrupts the call.
func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
