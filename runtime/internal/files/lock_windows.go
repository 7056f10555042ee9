package files

import (
	"errors"
	"syscall"
	"unsafe"
)

var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel32.NewProc("LockFileEx")
	unlockFileEx = kernel32.NewProc("UnlockFileEx")
)

// Flags of LockFileEx, and its error when another holds the lock.
const (
	failImmediately = 1
	exclusive       = 2

	errLockViolation = syscall.Errno(33)
)

// allBytes, as both halves of a length, is the whole file.
const allBytes = uintptr(^uint32(0))

// TryLock implements Lock.
func (l *osLock) TryLock() (ok bool, err error) {
	var at syscall.Overlapped
	done, _, err := lockFileEx.Call(l.file.Fd(), failImmediately|exclusive, 0, allBytes, allBytes, uintptr(unsafe.Pointer(&at)))
	switch {
	case done != 0:
		return true, nil
	case errors.Is(err, errLockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	}

	return false, err
}

// Unlock implements Lock.
func (l *osLock) Unlock() error {
	var at syscall.Overlapped
	if done, _, err := unlockFileEx.Call(l.file.Fd(), 0, allBytes, allBytes, uintptr(unsafe.Pointer(&at))); done == 0 {
		return err
	}

	return nil
}
