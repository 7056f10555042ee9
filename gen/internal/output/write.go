package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// WriteSink returns a sink that updates the folder, and removes leftovers of processes that were
// killed. An error names the file that could not be written, which still has its old content.
func WriteSink(fsys FS) Sink {
	ready, swept := map[string]bool{}, map[string]bool{} // folders that exist, and folders without leftovers
	return func(c Change) error {
		dir := path.Dir(c.Path)
		if !swept[dir] {
			err := removeLeftovers(fsys, dir, leftoverGo)
			if err != nil {
				return err
			}
			swept[dir] = true
		}
		switch {
		case c.IsSame():
			return nil
		case c.New == nil:
			return fsys.Remove(c.Path)
		}
		if !ready[dir] {
			_, err := makeFolders(fsys, dir)
			if err != nil {
				return err
			}
			ready[dir] = true
		}

		return replaceFile(fsys, c.Path, c.New, nil)
	}
}

// replaceFile writes a temporary file in the same folder and renames it, so that no reader sees
// half a file. mode is the mode of the file, nil for the default.
func replaceFile(fsys FS, name string, content []byte, mode *fs.FileMode) error {
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

// makeFolders makes a folder and its parents, and returns the new ones, the uppermost first.
func makeFolders(fsys FS, dir string) ([]string, error) {
	if _, err := fsys.ReadDir(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var made []string
	if dir != "." {
		parents, err := makeFolders(fsys, path.Dir(dir))
		if err != nil {
			return parents, err
		}
		made = parents
	}
	err := fsys.Mkdir(dir)
	if errors.Is(err, fs.ErrExist) {
		return made, nil
	}
	if err != nil {
		return made, err
	}

	return append(made, dir), nil
}

// Rewrite writes the new contents of source files whose old contents were read before, and keeps
// their modes. It writes nothing if one of them must not be written: then the error is a
// *[ConflictError] with all these files. It returns the number of files that were written before
// another error.
func Rewrite(fsys FS, changes []Change) (int, error) {
	modes := make([]fs.FileMode, len(changes))
	var conflicts []Conflict
	for i, c := range changes {
		mode, problem, err := checkWritable(fsys, c)
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
		err := removeLeftovers(fsys, path.Dir(c.Path), leftoverPattern(path.Base(c.Path)))
		if err != nil {
			return i, err
		}
		err = replaceFile(fsys, c.Path, c.New, &modes[i])
		if err != nil {
			return i, err
		}
	}

	return len(changes), nil
}

// checkWritable returns the mode of a file, or why it must not be written.
func checkWritable(fsys FS, c Change) (mode fs.FileMode, problem string, err error) {
	entries, err := pathEntries(fsys, c.Path)
	at := ""
	for _, e := range entries {
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
	info, err := entries[len(entries)-1].Info()
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
