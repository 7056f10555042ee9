package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// DefaultDir is the default folder of journals.
const DefaultDir = ".agentc/runs"

// extension ends the name of the file of a run.
const extension = ".journal"

// Files returns a store that keeps each run in a file of a folder on a local disk. The folder is created with the
// first run, with access for its owner only and ignored by git; an existing folder is not changed. When the owner of
// a journal dies, the operating system releases its lock.
func Files(dir string) Store { return &folder{dir, files.OS} }

// Memory returns a store that keeps journals in memory until the process ends.
func Memory() Store { return &folder{"", files.NewMemory()} }

// folder is a Store of files.
type folder struct {
	dir    string
	system files.System
}

func (s *folder) runPath(run string) string { return filepath.Join(s.dir, run+extension) }

// checkCall is what every call begins with.
func checkCall(ctx context.Context, run string) error {
	if err := CheckRun(run); err != nil {
		return err
	}

	return context.Cause(ctx)
}

// Create implements Store.
func (s *folder) Create(ctx context.Context, run string) (File, error) {
	if err := checkCall(ctx, run); err != nil {
		return nil, err
	}
	if err := files.MakeFolder(s.system, s.dir); err != nil {
		return nil, storeError("make", s.dir, err)
	}
	file, err := s.system.Create(s.runPath(run))
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, runError(run, ErrRunExists)
	case err != nil:
		return nil, &StoreError{"create", s.runPath(run), err}
	}
	owned, err := s.takeOwnership(run, file)
	if err != nil {
		return nil, err
	}
	if err := s.system.SyncFolder(s.folderOf()); err != nil {
		return nil, errors.Join(&StoreError{"sync", s.folderOf(), err}, file.Close())
	}

	return owned, nil
}

// folderOf is the folder as systems want it named.
func (s *folder) folderOf() string { return filepath.Clean(s.dir) }

// takeOwnership takes a file that is open, or closes it.
func (s *folder) takeOwnership(run string, file files.File) (File, error) {
	path := s.runPath(run)
	free, err := tryLock(file)
	switch {
	case err != nil:
		err = &StoreError{"lock", path, err}
	case !free:
		err = runError(run, ErrRunLocked)
	}
	var size int64
	if err == nil {
		size, err = file.Size()
		if errors.Is(err, files.ErrReplaced) { // its last owner took it away before this one had it
			err = runError(run, ErrUnknownRun)
		} else if err != nil {
			err = &StoreError{"look at", path, err}
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return &ownedFile{File: appendlog.File{File: file, Path: path, End: size}, store: s, run: run}, nil
}

// How often a lock is tried, and the wait between.
const (
	lockTries = 10
	lockPause = 5 * time.Millisecond
)

// tryLock takes the lock of a file. A caller who lists runs has it for a moment, to see whether a
// process works on them: a process is not turned away for that.
func tryLock(file files.File) (free bool, err error) {
	for try := 1; ; try++ {
		free, err = file.TryLock()
		if free || err != nil || try == lockTries {
			return free, err
		}
		time.Sleep(lockPause)
	}
}

// openRun opens the file of a run.
func (s *folder) openRun(ctx context.Context, run string) (files.File, error) {
	if err := checkCall(ctx, run); err != nil {
		return nil, err
	}
	file, err := s.system.OpenExisting(s.runPath(run))

	return file, s.wrapError("open", run, err)
}

// wrapError is an error of a step with the file of a run; nil without one.
func (s *folder) wrapError(op, run string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return runError(run, ErrUnknownRun)
	case err != nil:
		return &StoreError{op, s.runPath(run), err}
	}

	return nil
}

// Open implements Store.
func (s *folder) Open(ctx context.Context, run string) (File, error) {
	file, err := s.openRun(ctx, run)
	if err != nil {
		return nil, err
	}

	return s.takeOwnership(run, file)
}

// Read implements Store.
func (s *folder) Read(ctx context.Context, run string) (io.ReadCloser, error) {
	if err := checkCall(ctx, run); err != nil {
		return nil, err
	}
	content, err := s.system.ReadFile(s.runPath(run))
	if err != nil {
		return nil, s.wrapError("read", run, err)
	}

	return fileContent{bytes.NewBuffer(content)}, nil
}

// fileContent reads what was read already.
type fileContent struct{ *bytes.Buffer }

// Close implements io.Closer.
func (fileContent) Close() error { return nil }

// List implements Store.
func (s *folder) List(ctx context.Context, _ Query) ([]string, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	names, err := s.listNames(s.folderOf())
	if err != nil {
		return nil, err
	}
	var runs []string
	for _, name := range names {
		if run, ok := strings.CutSuffix(name, extension); ok && CheckRun(run) == nil {
			runs = append(runs, run)
		}
	}
	slices.Sort(runs) // files are sorted by their names with the extension

	return runs, nil
}

// listNames are the names in a folder, none if it is not there.
func (s *folder) listNames(dir string) ([]string, error) {
	names, err := s.system.ReadFolder(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &StoreError{"read", dir, err}
	}

	return names, nil
}

// Remove implements Store.
func (s *folder) Remove(ctx context.Context, run string) error {
	owned, err := s.Open(ctx, run)
	if err != nil {
		return err
	}
	if err := s.removePost(run); err != nil {
		return errors.Join(err, owned.Close())
	}
	early := s.removeFile(s.runPath(run))
	if err := owned.Close(); err != nil || early == nil {
		return storeError("close", s.runPath(run), err)
	}

	return s.removeFile(s.runPath(run)) // Windows removes no file that is open
}

// removeFile takes a file or an empty folder away, if it is there.
func (s *folder) removeFile(path string) error {
	if err := s.system.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &StoreError{"remove", path, err}
	}

	return nil
}
