package files

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// OS are the files of the operating system.
var OS System = system{}

type system struct{}

func (system) MakeFolder(dir string) (made bool, err error) {
	if _, err := os.Stat(dir); err == nil {
		return false, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}

	return true, os.MkdirAll(dir, folderPerm)
}

func (system) Open(path string) (File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, err
	}

	return osFile{file}, nil
}

func (system) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

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

func (system) OpenLock(path string) (Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, err
	}

	return &osLock{file}, nil
}

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}

	return info.Size(), nil
}

// osLock is a lock that the operating system keeps on an open file: each opening of the file is a party of its own, in this process
// too.
type osLock struct{ file *os.File }

func (l *osLock) Close() error { return l.file.Close() }
