package output

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Create writes new files, whose names are paths in the folder: all of them or none. Nothing that
// is there is touched: the error is a *[ConflictError] that names all files in the way. undo takes
// the files, and the folders that were made for them, away again.
func Create(fsys FS, files []File) (undo func() error, err error) {
	var conflicts []Conflict
	for _, f := range files {
		inTheWay, err := occupant(fsys, f.Name)
		if err != nil {
			return nil, err
		}
		if inTheWay != "" && !slices.ContainsFunc(conflicts, func(c Conflict) bool { return c.Path == inTheWay }) {
			conflicts = append(conflicts, Conflict{Path: inTheWay, Problem: "exists"})
		}
	}
	if len(conflicts) > 0 {
		return nil, &ConflictError{Conflicts: conflicts}
	}

	c := creation{fsys: fsys}
	for _, f := range files {
		if err := c.create(f); err != nil {
			return nil, errors.Join(err, c.undo())
		}
	}

	return c.undo, nil
}

// occupant returns what is where a new file belongs, or where one of its folders does; "" if
// nothing does.
func occupant(fsys FS, name string) (string, error) {
	way, err := entriesTo(fsys, name)
	at := ""
	for _, e := range way {
		if at = path.Join(at, e.Name()); at == name || e.Type().IsRegular() {
			return at, err
		}
	}

	return "", err
}

// entriesTo returns the entries of the folders on the way to a file, and of the file, as far as
// they are there.
func entriesTo(fsys FS, name string) (way []fs.DirEntry, err error) {
	dir := "."
	for part := range strings.SplitSeq(name, "/") {
		if len(way) > 0 && way[len(way)-1].Type().IsRegular() {
			return way, nil
		}
		entries, err := fsys.ReadDir(dir)
		i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == part })
		if err != nil || i < 0 {
			return way, err
		}
		dir, way = path.Join(dir, part), append(way, entries[i])
	}

	return way, nil
}

// creation notes what was made, so that it can be taken away again.
type creation struct {
	fsys FS
	made []string
}

func (c *creation) create(f File) error {
	folders, err := mkdirAll(c.fsys, path.Dir(f.Name))
	c.made = append(c.made, folders...)
	if err != nil {
		return err
	}
	err = c.fsys.Create(f.Name, f.Content)
	if err == nil {
		c.made = append(c.made, f.Name)
	}

	return err
}

// undo removes what was made, the last first; a folder that has other files stays.
func (c *creation) undo() error {
	var all error
	for _, name := range slices.Backward(c.made) {
		if entries, err := c.fsys.ReadDir(name); err == nil && len(entries) > 0 {
			continue
		}
		all = errors.Join(all, c.fsys.Remove(name))
	}
	c.made = nil

	return all
}
