package output

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Rewrite gives source files their new contents, whose old ones are what was read of them; modes stay. Nothing is written if
// one of them must not be: the error is then a *[ConflictError] that names all such files. Each file is written in one step;
// any other error says which file could not be, and written how many were before it.
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
	dir := "."
	for part := range strings.SplitSeq(c.Path, "/") {
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			return 0, "", err
		}
		dir = path.Join(dir, part)
		i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == part })
		if i < 0 {
			return 0, "is not there any more", nil
		}
		info, err := entries[i].Info()
		if err != nil {
			return 0, "", err
		}
		mode = info.Mode()
		switch {
		case mode.Type() == fs.ModeSymlink && dir == c.Path:
			return 0, "is a symbolic link: change the file that it leads to", nil
		case mode.Type() == fs.ModeSymlink:
			return 0, fmt.Sprintf("lies behind the symbolic link %s: change the file where it is", dir), nil
		}
	}
	if mode.Perm()&0o200 == 0 {
		return 0, "is read-only", nil
	}
	content, err := fsys.ReadFile(c.Path)
	if err == nil && !bytes.Equal(content, c.Old) {
		problem = "was changed while agentc was at work"
	}

	return mode.Perm(), problem, err
}
