package files

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// StepError is a step with files that failed: the disk is full, the folder read-only.
type StepError struct {
	// Op is what was done, such as "write" or "sync", Path to what.
	Op, Path string
	Err      error
}

func (e *StepError) Error() string {
	err := e.Err
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == e.Path {
		err = path.Err // it says again what was done, and to what
	}

	return fmt.Sprintf("%s %s: %v", e.Op, e.Path, err)
}

// Unwrap returns what the system said.
func (e *StepError) Unwrap() error { return e.Err }

// MakeFolder makes a folder that git ignores, unless it is there: that stays as it is. Its name and
// those above it are safe from a crash. Errors: *StepError.
func MakeFolder(s System, dir string) error {
	dir = filepath.Clean(dir)
	made, err := s.MakeFolder(dir)
	if err != nil {
		return &StepError{"make", dir, err}
	}
	if !made {
		return nil
	}
	if err := WriteNew(s, filepath.Join(dir, ".gitignore"), []byte("*\n")); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	above := filepath.Dir(dir)
	for _, dir := range []string{above, filepath.Dir(above)} {
		if err := s.SyncFolder(dir); err != nil {
			return &StepError{"sync", dir, err}
		}
	}

	return nil
}

// WriteNew makes a file with a content, which is on the disk when it returns. Errors: *StepError.
func WriteNew(s System, path string, content []byte) (err error) {
	file, err := s.Create(path)
	if err != nil {
		return &StepError{"create", path, err}
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.WriteAt(content, 0); err != nil {
		return &StepError{"write", path, err}
	}
	if err := file.Sync(); err != nil {
		return &StepError{"sync", path, err}
	}

	return nil
}
