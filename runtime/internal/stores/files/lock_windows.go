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

// beyond is half of the offset of the byte that is locked, which no file has: a lock on bytes of a
// file keeps others from reading them.
const beyond = 1 << 30

// TryLock implements File.
func (f osFile) TryLock() (ok bool, err error) {
	at := syscall.Overlapped{OffsetHigh: beyond}
	done, _, err := lockFileEx.Call(f.Fd(), failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case done != 0:
		return true, nil
	case errors.Is(err, errLockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	}

	return false, err
}

// Unlock implements File.
func (f osFile) Unlock() error {
	at := syscall.Overlapped{OffsetHigh: beyond}
	if done, _, err := unlockFileEx.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&at))); done == 0 {
		return err
	}

	return nil
}
