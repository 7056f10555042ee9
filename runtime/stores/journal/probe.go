package journal

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// Owned implements Store.
func (s *folder) Owned(ctx context.Context, run string) (bool, error) {
	file, err := s.openRun(ctx, run)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return false, nil // a journal that may only be read is a copy, and no process adds to it
	}
	if err != nil {
		return false, err
	}
	free, err := file.TryLock()
	if err := errors.Join(err, file.Close()); err != nil {
		return false, &StoreError{"lock", s.runPath(run), err}
	}

	return !free, nil
}

// probe is the name of the file that Writable writes.
const probe = ".probe"

// Writable implements Store.
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
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return &StoreError{"write", path, err}
	}

	return s.removeFile(path)
}

// Stamp implements Store.
func (s *folder) Stamp(ctx context.Context, run string) (size, changed int64, err error) {
	if err := checkCall(ctx, run); err != nil {
		return 0, 0, err
	}
	stamp, err := s.system.Stamp(s.runPath(run))

	return stamp.Size, stamp.Changed, s.wrapError("look at", run, err)
}
