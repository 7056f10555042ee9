package output

import (
	"errors"
	"io/fs"
	"path"
)

// Write returns the sink that brings the folder up to date, and clears away what a run that was killed left in it. An error says
// which file could not be written; that one still has its old content, or is still absent.
func Write(fsys FS) Sink {
	ready, swept := map[string]bool{}, map[string]bool{} // folders that exist, and those without leftovers
	return func(c Change) error {
		dir := path.Dir(c.Path)
		if !swept[dir] {
			if err := removeLeftovers(fsys, dir, leftoverGo); err != nil {
				return err
			}
			swept[dir] = true
		}
		switch {
		case c.Same():
			return nil
		case c.New == nil:
			return fsys.Remove(c.Path)
		}
		if !ready[dir] {
			if _, err := mkdirAll(fsys, dir); err != nil {
				return err
			}
			ready[dir] = true
		}

		return replace(fsys, c.Path, c.New, nil)
	}
}

// replace writes a temporary file into the same folder and renames it, which is one step: no reader sees half a file. A
// mode that is not nil is what the file gets.
func replace(fsys FS, name string, content []byte, mode *fs.FileMode) error {
	temporary := temporaryName(name)
	err := fsys.Create(temporary, content)
	if err != nil {
		return err
	}
	if mode != nil {
		err = fsys.Chmod(temporary, *mode)
	}
	if err == nil {
		err = fsys.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(temporary))
	}

	return nil
}

// mkdirAll makes a folder and those above it, and returns the ones that were not there, the uppermost first.
func mkdirAll(fsys FS, dir string) (made []string, err error) {
	if _, err := fsys.ReadDir(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if dir != "." {
		if made, err = mkdirAll(fsys, path.Dir(dir)); err != nil {
			return made, err
		}
	}
	switch err := fsys.Mkdir(dir); {
	case err == nil:
		made = append(made, dir)
	case !errors.Is(err, fs.ErrExist):
		return made, err
	}

	return made, nil
}
