package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Write returns the sink that brings the folder up to date, and clears away what a run that was
// killed left in it. An error says which file could not be written; that one still has its old
// content, or is still absent.
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

// replace writes a temporary file into the same folder and renames it, which is one step: no reader
// sees half a file. A mode that is not nil is what the file gets.
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

// mkdirAll makes a folder and those above it, and returns the ones that were not there, the
// uppermost first.
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

// Rewrite gives source files their new contents, whose old ones are what was read of them; modes
// stay. Nothing is written if one of them must not be: the error is then a *[ConflictError] that
// names all such files. Each file is written in one step; any other error says which file could not
// be, and written how many were before it.
func Rewrite(fsys FS, changes []Change) (written int, err error) {
	modes := make([]fs.FileMode, len(changes))
	var conflicts []Conflict
	for i, c := range changes {
		mode, problem, err := writable(fsys, c)
		if err != nil {
			return 0, err
		}
		if problem != "" {
			conflicts = append(conflicts, Conflict{Path: c.Path, Problem: problem})
		}
		modes[i] = mode
	}
	if len(conflicts) > 0 {
		return 0, &ConflictError{Conflicts: conflicts}
	}

	for i, c := range changes {
		if err := removeLeftovers(fsys, path.Dir(c.Path), leftoverOf(path.Base(c.Path))); err != nil {
			return i, err
		}
		if err := replace(fsys, c.Path, c.New, &modes[i]); err != nil {
			return i, err
		}
	}

	return len(changes), nil
}

// writable returns the mode of a file, or why it must not be written.
func writable(fsys FS, c Change) (mode fs.FileMode, problem string, err error) {
	way, err := entriesTo(fsys, c.Path)
	at := ""
	for _, e := range way {
		at = path.Join(at, e.Name())
		switch {
		case e.Type() == fs.ModeSymlink && at == c.Path:
			return 0, "is a symbolic link: change the file that it leads to", nil
		case e.Type() == fs.ModeSymlink:
			return 0, fmt.Sprintf("is behind the symbolic link %s: change the file where it is", at), nil
		}
	}
	if err != nil || at != c.Path {
		return 0, "does not exist any more", err
	}
	info, err := way[len(way)-1].Info()
	if err != nil {
		return 0, "", err
	}
	mode = info.Mode()
	if mode.Perm()&0o200 == 0 {
		return 0, "is read-only", nil
	}
	content, err := fsys.ReadFile(c.Path)
	if err == nil && !bytes.Equal(content, c.Old) {
		problem = "was changed while agentc was running"
	}

	return mode.Perm(), problem, err
}
