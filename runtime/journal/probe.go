package journal

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// Prober is a [Store] that can be asked about its state at little cost. The stores of this package are.
type Prober interface {
	// Owned reports whether a process owns the journal, without waiting for it. Two that ask at once may both be told that
	// one does. Errors: ErrUnknownRun.
	Owned(ctx context.Context, run string) (bool, error)
	// Writable writes something that is no run, and removes it. Errors: *StoreError.
	Writable(ctx context.Context) error
}

// Owned is [Prober.Owned] for any store: one that is no Prober is asked to open the journal.
func Owned(ctx context.Context, store Store, run string) (bool, error) {
	if prober, ok := store.(Prober); ok {
		return prober.Owned(ctx, run)
	}
	file, err := store.Open(ctx, run)
	switch {
	case errors.Is(err, ErrRunLocked):
		return true, nil
	case err != nil:
		return false, err
	}

	return false, file.Close()
}

// Owned implements Prober.
func (s *folder) Owned(ctx context.Context, run string) (bool, error) {
	file, err := s.open(ctx, run)
	if err != nil {
		return false, err
	}
	free, err := file.TryLock()
	if err := errors.Join(err, file.Close()); err != nil {
		return false, &StoreError{"lock", s.path(run), err}
	}

	return !free, nil
}

// probe is the name of the file that Writable writes.
const probe = ".probe"

// Writable implements Prober.
func (s *folder) Writable(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := files.MakeFolder(s.system, s.dir); err != nil {
		return storeError("make", s.dir, err)
	}
	path := filepath.Join(s.dir, probe)
	file, err := s.system.Open(path)
	if err != nil {
		return &StoreError{"create", path, err}
	}
	_, err = file.WriteAt([]byte("\n"), 0)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return &StoreError{"write", path, err}
	}

	return s.removeFile(path)
}
