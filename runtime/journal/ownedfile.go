package journal

import (
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// ownedFile is the journal of a run, held by this process.
type ownedFile struct {
	store  *folder
	run    string
	file   files.File
	size   int64
	closed atomic.Bool
}

func (f *ownedFile) failed(op string, err error) error {
	return &StoreError{op, f.store.path(f.run), err}
}

// ReadAll implements File.
func (f *ownedFile) ReadAll() ([]byte, error) {
	content := make([]byte, f.size)
	if n, err := f.file.ReadAt(content, 0); n < len(content) {
		return nil, f.failed("read", err)
	}

	return content, nil
}

// Append implements File.
func (f *ownedFile) Append(p []byte) error {
	if f.closed.Load() {
		return f.failed("write", fs.ErrClosed)
	}
	n, err := f.file.WriteAt(p, f.size)
	f.size += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return f.failed("write", err)
	}

	return nil
}

// Label implements File: files have no labels.
func (f *ownedFile) Label(Labels) {}

// Sync implements File. A file that was deleted or replaced takes bytes all the same, and they survive nothing.
func (f *ownedFile) Sync() error {
	err := f.file.Sync()
	if err == nil {
		_, err = f.file.Size()
	}
	if err != nil {
		return f.failed("sync", err)
	}

	return nil
}

// Truncate implements File.
func (f *ownedFile) Truncate(size int64) error {
	if err := f.file.Truncate(size); err != nil {
		return f.failed("truncate", err)
	}
	f.size = size

	return nil
}

// Messages implements File.
func (f *ownedFile) Messages() ([][]byte, error) { return f.store.takeMessages(f.run) }

// Close implements File.
func (f *ownedFile) Close() error {
	if f.closed.Swap(true) {
		return nil
	}
	if err := f.file.Close(); err != nil {
		return f.failed("close", err)
	}

	return nil
}
