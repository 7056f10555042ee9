//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package files

import "errors"

// TryLock implements Lock: without locks two processes would write over each other, so there is no store on such a system.
func (l *osLock) TryLock() (ok bool, err error) { return false, errors.ErrUnsupported }

// Unlock implements Lock.
func (l *osLock) Unlock() error { return errors.ErrUnsupported }

// TryLock implements File.
func (f osFile) TryLock() (ok bool, err error) { return false, errors.ErrUnsupported }
