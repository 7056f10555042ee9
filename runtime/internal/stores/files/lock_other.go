//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package files

import "errors"

// TryLock implements File: without locks two processes would write over each other, so there is no
// store on such a system.
func (f osFile) TryLock() (ok bool, err error) { return false, errors.ErrUnsupported }

// Unlock implements File.
func (f osFile) Unlock() error { return errors.ErrUnsupported }
