//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package files

import (
	"errors"
	"syscall"
)

// TryLock implements Lock.
func (l *osLock) TryLock() (ok bool, err error) {
	err = l.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}

	return err == nil, err
}

// Unlock implements Lock.
func (l *osLock) Unlock() error { return l.flock(syscall.LOCK_UN) }

// flock does it again when a signal came in between.
func (l *osLock) flock(how int) error {
	for {
		if err := syscall.Flock(int(l.file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
