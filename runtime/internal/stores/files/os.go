package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
)

// OS are the files of the operating system.
var OS System = system{}

type system struct{}

// MakeFolder implements System. Of two that make the same folder at once one receives that it did.
func (system) MakeFolder(dir string) (made bool, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), folderPerm); err != nil {
		return false, err
	}
	err = os.Mkdir(dir, folderPerm)
	if info, statErr := os.Stat(dir); errors.Is(err, fs.ErrExist) && statErr == nil && info.IsDir() {
		return false, nil
	}

	return err == nil, err
}

func (system) Open(path string) (File, error) { return openOSFile(path, os.O_CREATE) }

func (system) Create(path string) (File, error) { return openOSFile(path, os.O_CREATE|os.O_EXCL) }

func (system) OpenExisting(path string) (File, error) { return openOSFile(path, 0) }

func openOSFile(path string, how int) (File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|how, filePerm)
	if err != nil {
		return nil, err
	}

	// The working directory may change while the file is open.
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return osFile{file, absolute}, nil
}

func (system) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

func (system) Stamp(path string) (Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}, err
	}

	return Stamp{info.Size(), info.ModTime().UnixNano()}, nil
}

// ReadFolder implements System. os.ReadDir would make each binary 16 KB larger, by what sorts its
// entries.
func (system) ReadFolder(dir string) ([]string, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := folder.Readdirnames(-1)
	sort.Strings(names)

	return names, errors.Join(err, folder.Close())
}

func (system) Remove(path string) error { return os.Remove(path) }

func (system) Rename(from, to string) error { return os.Rename(from, to) }

// SyncFolder implements System. Windows has no such call; it keeps names by itself.
func (system) SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}

	return errors.Join(folder.Sync(), folder.Close())
}

type osFile struct {
	*os.File
	path string
}

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	named, err := os.Stat(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if err != nil || !os.SameFile(info, named) {
		return 0, ErrReplaced
	}

	return info.Size(), nil
}
