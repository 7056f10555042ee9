package record

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// How long to wait before the lock is asked for again: the first time, and at most.
const (
	firstPause = 50 * time.Microsecond
	lastPause  = time.Millisecond
)

// folderLock is the lock of a folder. Whoever wants it first takes its place as the next: a process that has work without end would
// otherwise take the lock back before any other notices that it was free.
type folderLock struct {
	next, lock         files.Lock
	nextPath, lockPath string
	// isNext and held say which of the two this process has.
	isNext, held bool
}

func openLock(system files.System, dir string) (*folderLock, error) {
	l := &folderLock{nextPath: filepath.Join(dir, nextName), lockPath: filepath.Join(dir, lockName)}
	var err error
	if l.next, err = system.OpenLock(l.nextPath); err != nil {
		return nil, &StoreError{"open", l.nextPath, err}
	}
	if l.lock, err = system.OpenLock(l.lockPath); err != nil {
		return nil, &StoreError{"open", l.lockPath, errors.Join(err, l.next.Close())}
	}

	return l, nil
}

// acquire takes the lock, unless this process has kept it. Errors: *StoreError, *LockError, the cause of ctx.
func (l *folderLock) acquire(ctx context.Context, wait time.Duration) (err error) {
	if l.held {
		return nil
	}
	began := time.Now()
	if !l.isNext {
		if err := waitFor(ctx, l.next, l.nextPath, wait, began); err != nil {
			return err
		}
		l.isNext = true
	}
	if err = waitFor(ctx, l.lock, l.lockPath, wait, began); err == nil {
		l.held = true
	}
	// A place that cannot be given back is kept: it is the next time's.
	l.isNext = l.next.Unlock() != nil

	return err
}

// release gives the lock back; one that cannot be given back is kept.
func (l *folderLock) release() {
	if l.held {
		l.held = l.lock.Unlock() != nil
	}
}

func (l *folderLock) close() error { return errors.Join(l.next.Close(), l.lock.Close()) }

// waitFor asks for a lock again and again: a call that waits in the system could not be given up.
func waitFor(ctx context.Context, lock files.Lock, path string, wait time.Duration, began time.Time) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		ok, err := lock.TryLock()
		if err != nil {
			return &StoreError{"lock", path, err}
		}
		if ok {
			return nil
		}
		if time.Since(began) > wait {
			return &LockError{Path: path, Wait: wait}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
