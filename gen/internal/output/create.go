package output

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Create writes new files, whose names are paths in the folder, all or none. It overwrites nothing:
// the error is a *[ConflictError] with all files in the way. The returned function removes the
// files, and the folders that were made for them.
func Create(fsys FS, files []File) (func() error, error) {
	var conflicts []Conflict
	for _, f := range files {
		inTheWay, err := findOccupant(fsys, f.Name)
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
		err := c.createFile(f)
		if err != nil {
			return nil, errors.Join(err, c.removeMade())
		}
	}

	return c.removeMade, nil
}

// findOccupant returns the existing file or folder at the path of a new file, or the file at the
// path of one of its folders, or "".
func findOccupant(fsys FS, name string) (string, error) {
	entries, err := pathEntries(fsys, name)
	at := ""
	for _, e := range entries {
		at = path.Join(at, e.Name())
		if at == name || e.Type().IsRegular() {
			return at, err
		}
	}

	return "", err
}

// pathEntries returns the directory entries on the path to a file, as far as they exist.
func pathEntries(fsys FS, name string) ([]fs.DirEntry, error) {
	var way []fs.DirEntry
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

// creation records what was made, to be able to remove it.
type creation struct {
	fsys FS
	made []string
}

func (c *creation) createFile(f File) error {
	folders, err := makeFolders(c.fsys, path.Dir(f.Name))
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

// removeMade removes what was made, in reverse order. It keeps folders that contain other files.
func (c *creation) removeMade() error {
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
