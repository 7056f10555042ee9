package output

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
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
