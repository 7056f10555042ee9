package output

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FS is the file system of this package. Names are slash-separated and relative to the project
// folder.
type FS interface {
	// ReadDir lists a folder, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	ReadFile(name string) ([]byte, error)
	Mkdir(name string) error
	// Create makes a file that must not exist.
	Create(name string, content []byte) error
	Chmod(name string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
}

// Disk is the folder of a project on disk. No operation leaves it: following a symbolic link to the
// outside is an error.
type Disk struct {
	root *os.Root
}

// Open returns the project folder dir. Close it after use.
func Open(dir string) (*Disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}

	return &Disk{root: root}, nil
}

// Close frees the folder.
func (d *Disk) Close() error { return d.root.Close() }

// ReadDir implements [FS].
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.root.FS(), name) }

// ReadFile implements [FS].
func (d *Disk) ReadFile(name string) ([]byte, error) {
	return d.root.ReadFile(filepath.FromSlash(name))
}

// Mkdir implements [FS].
func (d *Disk) Mkdir(name string) error {
	return withOperationName(d.root.Mkdir(filepath.FromSlash(name), 0o777))
}

// Create implements [FS]. A file that could only be written in part is removed.
func (d *Disk) Create(name string, content []byte) error {
	name = filepath.FromSlash(name)
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return withOperationName(err)
	}
	_, err = f.Write(content)
	err = cmp.Or(err, f.Close())
	if err != nil {
		_ = d.root.Remove(name)
	}

	return err
}

// Chmod implements [FS].
func (d *Disk) Chmod(name string, mode fs.FileMode) error {
	return withOperationName(d.root.Chmod(filepath.FromSlash(name), mode))
}

// Rename implements [FS].
func (d *Disk) Rename(from, to string) error {
	return withOperationName(d.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to)))
}

// Remove implements [FS].
func (d *Disk) Remove(name string) error {
	return withOperationName(d.root.Remove(filepath.FromSlash(name)))
}

// withOperationName removes the suffix "at" of the operation of an error: an [os.Root] reports
// mkdirat instead of mkdir.
func withOperationName(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		path.Op = strings.TrimSuffix(path.Op, "at")
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		link.Op = strings.TrimSuffix(link.Op, "at")
	}

	return err
}
