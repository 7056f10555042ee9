// Package files is what stores do with files, as an interface, so that tests can let every step of
// it fail: [OS] works on the disk, [NewMemory] in memory.
package files

import (
	"errors"
	"io"
)

// Names of permissions: only the owner may read what a store keeps.
const (
	filePerm   = 0o600
	folderPerm = 0o700
)

// System is where files are. It is safe for concurrent use.
type System interface {
	// MakeFolder makes the folder, readable for its owner only, and reports whether it had to.
	MakeFolder(dir string) (made bool, err error)
	// Open opens a file for reading and writing; it is made, readable for its owner only, if it is
	// not there.
	Open(path string) (File, error)
	// Create makes a file, readable for its owner only, and opens it. If it is there the error is
	// fs.ErrExist.
	Create(path string) (File, error)
	// OpenExisting opens a file. Without one the error is fs.ErrNotExist.
	OpenExisting(path string) (File, error)
	// ReadFile returns the content of a file. Without one the error is fs.ErrNotExist.
	ReadFile(path string) ([]byte, error)
	// Stamp returns what becomes another when a file does. Without one the error is fs.ErrNotExist.
	Stamp(path string) (Stamp, error)
	// ReadFolder returns the names of what is in a folder, sorted. Without one the error is
	// fs.ErrNotExist.
	ReadFolder(dir string) ([]string, error)
	// Remove takes away a file, or a folder that is empty. Without one the error is fs.ErrNotExist.
	Remove(path string) error
	// Rename puts a file into the place of another.
	Rename(from, to string) error
	// SyncFolder makes sure that the names in a folder survive a crash.
	SyncFolder(dir string) error
}

// Stamp distinguishes contents of a file. One that was cut and grew to its old length may have its
// old stamp, if that took no longer than the clock of the disk ticks.
type Stamp struct {
	// Size is in bytes, Changed the time of the last change, or how many there were.
	Size, Changed int64
}

// ErrReplaced is an open file that has its name no more: what is written there is lost.
var ErrReplaced = errors.New("it was moved, deleted or replaced while it was open")

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size is the length in bytes. Errors: ErrReplaced.
	Size() (int64, error)
	// Truncate cuts the file at size, or fills it up to there with zeros.
	Truncate(size int64) error
	// Sync makes sure that the content survives a crash.
	Sync() error
	// TryLock takes the file for this opening of it, until it is unlocked or closed, or the process
	// has died; ok is false if another has it. Without the lock the file can still be read and
	// written.
	TryLock() (ok bool, err error)
	Unlock() error
}
