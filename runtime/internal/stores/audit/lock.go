package audit

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// How long to wait before the lock is asked for again: the first time, and at most.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = time.Millisecond
)

// folderLock is the lock of a folder. The process that wants it first takes its place as the next:
// one that has work without end would otherwise take the lock back before any other notices that it
// was free.
type folderLock struct {
	next, lock *fileLock
}

// fileLock is a file that is locked by one process at a time.
type fileLock struct {
	files.File
	path string
	held bool
}

func openLock(system files.System, dir string) (*folderLock, error) {
	next, err := openFileLock(system, filepath.Join(dir, nextName))
	if err != nil {
		return nil, err
	}
	lock, err := openFileLock(system, filepath.Join(dir, lockName))
	if err != nil {
		return nil, errors.Join(err, next.Close())
	}

	return &folderLock{next, lock}, nil
}

func openFileLock(system files.System, path string) (*fileLock, error) {
	file, err := system.Open(path)
	if err != nil {
		return nil, &StoreError{"open", path, err}
	}

	return &fileLock{File: file, path: path}, nil
}

// acquire takes the lock, unless this process has kept it. Errors: *StoreError, *LockError, the
// cause of ctx.
func (l *folderLock) acquire(ctx context.Context, wait time.Duration) error {
	if l.lock.held {
		return nil
	}
	began := time.Now()
	if err := l.next.acquire(ctx, wait, began); err != nil {
		return err
	}
	defer l.next.release()

	return l.lock.acquire(ctx, wait, began)
}

func (l *folderLock) close() error { return errors.Join(l.next.Close(), l.lock.Close()) }

// acquire asks for the lock again and again: a call that waits in the system could not be given up.
func (l *fileLock) acquire(ctx context.Context, wait time.Duration, began time.Time) (err error) {
	for pause := firstPause; !l.held; pause = min(2*pause, lastPause) {
		l.held, err = l.TryLock()
		if err != nil {
			return &StoreError{"lock", l.path, err}
		}
		if l.held {
			return nil
		}
		if time.Since(began) > wait {
			return &LockError{Path: l.path, Wait: wait}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}

	return nil
}

// release gives the lock back; one that cannot be given back is kept, and is there the next time.
func (l *fileLock) release() {
	if l.held {
		l.held = l.Unlock() != nil
	}
}
