package journal

import (
	"context"
	"io"
	"strings"
)

// Store is where journals lie, by the names of runs ([ValidRun]). It is safe for concurrent use. A call with a context that is
// cancelled does nothing and returns the cause. The package journaltest holds any store against what is said here.
type Store interface {
	// Create makes the journal of a run, empty, and owns it. When it returns, the name survives a crash. Errors: ErrRunExists.
	Create(ctx context.Context, run string) (File, error)
	// Open owns a journal that is there. Errors: ErrRunLocked, ErrUnknownRun.
	Open(ctx context.Context, run string) (File, error)
	// Read reads what a journal has now, without owning it, be it owned or not. Errors: ErrUnknownRun.
	Read(ctx context.Context, run string) (io.ReadCloser, error)
	// List returns the names of the runs that fit the query, sorted. A store that keeps no [Labels] returns all: the caller reads what
	// their journals say, and leaves out what does not fit.
	List(ctx context.Context, q Query) ([]string, error)
	// Remove takes a journal away, with its messages. Errors: ErrRunLocked, ErrUnknownRun.
	Remove(ctx context.Context, run string) error
	// Post leaves a message for the owner of the run, now or next. Errors: ErrUnknownRun.
	Post(ctx context.Context, run string, message []byte) error
	// Owned reports whether a process owns the journal, without waiting for it. Of two that ask at once both may get true.
	// Errors: ErrUnknownRun.
	Owned(ctx context.Context, run string) (bool, error)
	// Stamp returns the stamp of a journal as it is now, without reading it. Errors: ErrUnknownRun.
	Stamp(ctx context.Context, run string) (Stamp, error)
	// Writable writes something that is no run, and removes it. Errors: *StoreError.
	Writable(ctx context.Context) error
}

// File is a journal that is owned: until it is closed, or the process is dead, nobody else can own it. It is used by one
// goroutine at a time, but for Messages, which may be called at any time.
type File interface {
	// ReadAll returns all bytes.
	ReadAll() ([]byte, error)
	// Append adds bytes at the end. If it fails, some of them may be there.
	Append(p []byte) error
	// Sync makes sure that all bytes survive a crash. A journal that is no longer in the store, because it was deleted, is an error.
	Sync() error
	// Label has the store keep what [Store.List] can be asked for, with the bytes that are appended next.
	Label(l Labels)
	// Truncate cuts the journal at a size that is not above its own.
	Truncate(size int64) error
	// Messages takes the messages that were left for the run, in the order in which they came, and leaves none.
	Messages() ([][]byte, error)
	// Close gives the journal back.
	Close() error
}

// maxRun is how long a name of a run may be.
const maxRun = 64

// ValidRun says whether a run can have that name: 1 to 64 ASCII letters, digits, - and _, with no - at the beginning, where a command
// line would read a flag, and none that names a device on Windows, such as con or com1.
func ValidRun(run string) bool {
	if strings.HasPrefix(run, "-") || isDevice(run) {
		return false
	}
	for i := range len(run) {
		switch c := run[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}

	return run != "" && len(run) <= maxRun
}

// isDevice reports whether Windows has a device of that name, whatever follows a dot.
func isDevice(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}

	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && '0' <= name[3] && name[3] <= '9'
}
