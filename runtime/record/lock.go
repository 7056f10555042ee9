package record

import (
	"context"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// How long to wait before the lock is asked for again: the first time, and at most.
const (
	firstPause = 100 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// acquire takes the lock, unless this process has kept it.
func (l *Log) acquire(ctx context.Context) error {
	if l.held {
		return nil
	}
	err := waitFor(ctx, l.lock, filepath.Join(l.o.Dir, lockName), l.o.LockWait)
	l.held = err == nil

	return err
}

// waitFor asks for a lock again and again: a call that waits in the system could not be given up.
func waitFor(ctx context.Context, lock files.Lock, path string, wait time.Duration) error {
	began := time.Now()
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
