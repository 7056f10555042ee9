package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync/atomic"
)

// Write returns the sink that brings the folder up to date. An error says which file could not be written; that one still
// has its old content, or is still absent.
func Write(fsys FS) Sink {
	ready := map[string]bool{} // folders that exist
	return func(c Change) error {
		switch {
		case c.Same():
			return nil
		case c.New == nil:
			return fsys.Remove(c.Path)
		}
		if dir := path.Dir(c.Path); !ready[dir] {
			if err := mkdirAll(fsys, dir); err != nil {
				return err
			}
			ready[dir] = true
		}

		return replace(fsys, c.Path, c.New)
	}
}

var temporaries atomic.Int64

// replace writes a temporary file into the same folder and renames it, which is one step: nobody ever sees half a file.
// The temporary name begins with a dot, so that the go command ignores it should the process die in between.
func replace(fsys FS, name string, content []byte) error {
	temporary := path.Join(path.Dir(name), fmt.Sprintf(".%s.%d-%d.tmp", path.Base(name), os.Getpid(), temporaries.Add(1)))
	if err := fsys.Create(temporary, content); err != nil {
		return err
	}
	if err := fsys.Rename(temporary, name); err != nil {
		return errors.Join(err, fsys.Remove(temporary))
	}

	return nil
}

func mkdirAll(fsys FS, dir string) error {
	if _, err := fsys.ReadDir(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if dir != "." {
		if err := mkdirAll(fsys, path.Dir(dir)); err != nil {
			return err
		}
	}
	if err := fsys.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}

	return nil
}
