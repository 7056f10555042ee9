package root

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime"
)

// Writable returns why files.root, or the nearest folder above it that exists, cannot be written. It creates nothing that
// stays. Errors: *runtime.BadSettingError.
func Writable(dir string) error {
	root, err := Path(dir)
	if err != nil {
		return err
	}
	for above := filepath.Dir(root); above != root; above = filepath.Dir(root) {
		if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		root = above
	}
	probe, err := os.CreateTemp(root, ".agentc-*")
	if err == nil {
		_ = probe.Close()
		err = os.Remove(probe.Name())
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return &runtime.BadSettingError{Name: "files.root", Value: dir, Problem: "cannot be written: " + err.Error()}
	}

	return nil
}

// Path returns the absolute path of files.root. If it exists, it must be a folder. Errors: *runtime.BadSettingError.
func Path(dir string) (string, error) {
	bad := func(problem string) (string, error) {
		return "", &runtime.BadSettingError{Name: "files.root", Value: dir, Problem: problem}
	}
	if dir == "" {
		return bad("names no folder")
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return bad("cannot be found: " + err.Error())
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return bad("is not a folder")
	}

	return root, nil
}
