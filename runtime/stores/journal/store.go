package journal

import (
	"context"
	"io"
	"strings"
	"time"
)

// Store keeps journals by the names of runs (see [CheckRun]). It is safe for concurrent use. A call with a cancelled
// context does nothing and returns the cause. Package journaltest tests whether a store meets this contract.
type Store interface {
	// Create creates the journal of a run, empty, and owns it. When it returns, the name survives a crash. Errors:
	// ErrRunExists.
	Create(ctx context.Context, run string) (File, error)
	// Open owns an existing journal. Errors: ErrRunLocked, ErrUnknownRun.
	Open(ctx context.Context, run string) (File, error)
	// Read reads the current content of a journal without owning it, whether or not a process owns it. Errors:
	// ErrUnknownRun.
	Read(ctx context.Context, run string) (io.ReadCloser, error)
	// List returns the names of the runs that the query selects, sorted. A store that keeps no [Labels] returns all:
	// the caller reads the journals and leaves out those that are not selected.
	List(ctx context.Context, q Query) ([]string, error)
	// Remove deletes a journal and its messages. Errors: ErrRunLocked, ErrUnknownRun.
	Remove(ctx context.Context, run string) error
	// Post stores a message for the present or next owner of the run. Errors: ErrUnknownRun.
	Post(ctx context.Context, run string, message []byte) error
	// Owned reports whether a process owns the journal, without waiting for it. Two calls at the same time may both
	// get true. Errors: ErrUnknownRun.
	Owned(ctx context.Context, run string) (bool, error)
	// Stamp returns the size of a journal in bytes and a number, without reading it. One of the two changes whenever the
	// journal grows. While both are the same, a run for which [Journal.Ended] is true has the same records: only a torn
	// end is ever cut off, and the process that does so then owns the run. Errors: ErrUnknownRun.
	Stamp(ctx context.Context, run string) (size, changed int64, err error)
	// Writable checks that the store can be written to: it writes something that is not a run and removes it. Errors:
	// *StoreError.
	Writable(ctx context.Context) error
}

// File is an owned journal: until it is closed, or the process is dead, no other process can own it. One goroutine at
// a time uses it, except for Messages, which may be called at any time.
type File interface {
	// ReadAll returns all bytes.
	ReadAll() ([]byte, error)
	// Append appends bytes. If it fails, some of them may have been written.
	Append(p []byte) error
	// Sync ensures that all bytes survive a crash. It is an error if the journal has been deleted from the store.
	Sync() error
	// Label sets the labels by which [Store.List] selects the run; they are stored with the bytes that are appended
	// next.
	Label(l Labels)
	// Truncate cuts the journal to a size, in bytes, that is not above its own.
	Truncate(size int64) error
	// Messages returns the messages that were posted for the run, in the order in which they arrived, and removes
	// them.
	Messages() ([][]byte, error)
	// Close gives up ownership of the journal.
	Close() error
}

// Leased is a [File] of a store whose owners hold a lease: one who does not renew it loses the run, and may still be at
// work.
type Leased interface {
	File
	// Renewed is when the previous owner renewed its lease last, by the clock of the store; zero if it gave up the run or
	// is known to be dead.
	Renewed() time.Time
}

// maxRun is how long a name of a run may be.
const maxRun = 64

// NewestRun is the word with which commands name the newest run, so that no run can have that name.
const NewestRun = "last"

// CheckRun returns an error unless a run can have that name: 1 to 64 ASCII letters, digits, - and _, not beginning
// with -, which a command line would read as a flag, and not the name of a device on Windows, such as con or com1.
// The error matches ErrUnknownRun, as there is no run of another name. Stores return it before they do anything.
func CheckRun(run string) error {
	isTaken := run == NewestRun || isDevice(run)
	if run == "" || len(run) > maxRun || strings.HasPrefix(run, "-") || isTaken {
		return runError(run, errRunName)
	}
	for i := range len(run) {
		if !isRunByte(run[i]) {
			return runError(run, errRunName)
		}
	}

	return nil
}

// isRunByte reports whether names of runs may have a byte.
func isRunByte(c byte) bool {
	isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'

	return isLetter || isDigit(c) || c == '-' || c == '_'
}

// isDigit reports whether a byte is a digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isDevice reports whether Windows has a device of that name, whatever follows a dot.
func isDevice(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}

	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && isDigit(name[3])
}
