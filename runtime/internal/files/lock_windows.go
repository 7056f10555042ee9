package files

import (
	"errors"
	"os"
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
	return tryLock(l.file, &syscall.Overlapped{}, allBytes)
}

// beyond is half of the offset of a byte that no file has: who locks bytes of a file keeps others from reading them.
const beyond = 1 << 30

// TryLock implements File.
func (f osFile) TryLock() (ok bool, err error) {
	return tryLock(f.File, &syscall.Overlapped{OffsetHigh: beyond}, 0)
}

// tryLock locks bytes from an offset: so many as high says in both halves of their number, and one at least.
func tryLock(file *os.File, at *syscall.Overlapped, high uintptr) (ok bool, err error) {
	low := max(high, 1)
	done, _, err := lockFileEx.Call(file.Fd(), failImmediately|exclusive, 0, low, high, uintptr(unsafe.Pointer(at)))
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
