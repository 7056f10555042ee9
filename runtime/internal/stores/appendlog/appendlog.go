// Package appendlog is what the journals of runs, the audit log and recordings have in common: a file that is only appended to, the end
// of an interrupted write that is cut off, and lines of bounded length.
package appendlog

import (
	"bufio"
	"errors"
	"io"
	"io/fs"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// CutBack cuts off what is behind the end of a file, for good: the cut survives a crash when it returns.
func CutBack(file interface {
	Truncate(size int64) error
	Sync() error
}, end int64) error {
	if err := file.Truncate(end); err != nil {
		return err
	}

	return file.Sync()
}

// File is a file that bytes are appended to. Its errors are of type *files.StepError.
type File struct {
	files.File
	Path string
	// End is where bytes are appended.
	End int64
	// NoSync leaves it to the system when bytes reach the disk.
	NoSync bool
}

func (f *File) failed(op string, err error) error {
	return &files.StepError{Op: op, Path: f.Path, Err: err}
}

// Append adds bytes at the end. If it fails, some of them may be there: see [CutBack].
func (f *File) Append(p []byte) error {
	n, err := f.WriteAt(p, f.End)
	f.End += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return f.failed("write", err)
	}

	return nil
}

// Sync makes sure that all bytes survive a crash. A file that was deleted or replaced still takes
// bytes, and they survive nothing.
func (f *File) Sync() error {
	if f.NoSync {
		return nil
	}
	err := f.File.Sync()
	if err == nil {
		_, err = f.Size()
	}
	if err != nil {
		return f.failed("sync", err)
	}

	return nil
}

// Truncate cuts off what is behind a size.
func (f *File) Truncate(size int64) error {
	if err := f.File.Truncate(size); err != nil {
		return f.failed("truncate", err)
	}
	f.End = size

	return nil
}

// ReadAll returns all bytes before the end.
func (f *File) ReadAll() ([]byte, error) {
	content := make([]byte, f.End)
	if n, err := f.ReadAt(content, 0); n < len(content) {
		return nil, f.failed("read", err)
	}

	return content, nil
}

// Close gives the file back. A file that was closed before is closed.
func (f *File) Close() error {
	if err := f.File.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return f.failed("close", err)
	}

	return nil
}

// ErrLong is a line that is longer than it may be.
var ErrLong = errors.New("the line is too long")

// ReadLine reads up to a line break, which it keeps. Without one the error is io.EOF, with the bytes that are left.
func ReadLine(r *bufio.Reader, most int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := append([]byte(nil), line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(long) > most {
			return nil, ErrLong
		}
		line, err = r.ReadSlice('\n')
		long = append(long, line...)
	}

	return long, err
}
