package record

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// DefaultDir is where the record of a program lies unless it is said otherwise.
const DefaultDir = ".agentc/board"

// lockWait is how long another process may hold a folder.
const lockWait = 10 * time.Second

// The files of a folder.
const (
	recordName     = "record.jsonl"
	lockName       = "lock"
	nextName       = "next"
	checkpointName = "checkpoint.json"
)

// Options say where a record lies and how it is kept.
type Options struct {
	// Dir is the folder; it is made if it is not there. "": the record lives in memory.
	Dir string
	// NoSync leaves it to the system when lines reach the disk: a process that dies loses nothing, a computer may.
	NoSync bool
	// LockWait is how long another process may hold the folder; 0: ten seconds.
	LockWait time.Duration
	// Cut, if it is not nil, is told of the end of a record that was cut off, as its last write was not completed.
	Cut func(Cut)
	// Checkpoint is how many bytes of the record may be read again when it is opened; 0: 1 MiB. Where there is much to keep it is
	// more.
	Checkpoint int64
	// Files are those of the system, or of memory without Dir, if it is nil. Only tests of this module can name others.
	Files files.System
}

// Cut is what was cut off the end of a record. No entry of it was ever answered.
type Cut struct {
	Path   string
	Offset int64
	Bytes  int64
}

// Log is a record that can be appended to. Between Begin and End it is held against other processes; only one goroutine may be
// there at a time. View, Head, Changed and EntryAt are safe at any time.
type Log struct {
	o    Options
	path string
	file files.File
	lock *folderLock
	// repair says that behind the end lie bytes that could not be cut off. Until then this process keeps the lock, so that nobody
	// else takes them for entries.
	repair bool
	// unsynced says that lines of others were read that may not be on the disk.
	unsynced bool
	// writing keeps readers from taking this process's own writing for that of another.
	writing atomic.Bool
	saved   savedCheckpoint

	mu    sync.RWMutex // over what follows
	state *State
	chain chain
}

// Open opens the record of a folder, or begins one. Errors: *StoreError, *LockError, *DamagedError.
func Open(ctx context.Context, o Options) (*Log, error) {
	if o.LockWait == 0 {
		o.LockWait = lockWait
	}
	if o.Checkpoint == 0 {
		o.Checkpoint = 1 << 20
	}
	if o.Files == nil {
		o.Files = files.OS
		if o.Dir == "" {
			o.Files = files.NewMemory()
		}
	}
	l := &Log{o: o, path: filepath.Join(o.Dir, recordName), state: newState()}
	l.chain.path = l.path
	if err := l.open(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}

	return l, nil
}

func (l *Log) open(ctx context.Context) error {
	if err := l.openFiles(); err != nil {
		return err
	}
	if err := l.lock.acquire(ctx, l.o.LockWait); err != nil {
		return err
	}
	defer l.End()
	if err := l.o.Files.SyncFolder(l.o.Dir); err != nil && !l.o.NoSync {
		return &StoreError{"sync", l.o.Dir, err}
	}
	if err := l.loadCheckpoint(); err != nil {
		return err
	}
	if err := l.catchUp(); err != nil {
		return err
	}

	return l.settle()
}

// openFiles makes the folder with all that belongs there. A folder that was there keeps what it has, .gitignore included.
func (l *Log) openFiles() (err error) {
	made, err := l.o.Files.MakeFolder(l.o.Dir)
	if err != nil {
		return &StoreError{"make", l.o.Dir, err}
	}
	if made {
		if err := l.replace(".gitignore", []byte("*\n")); err != nil {
			return err
		}
	}
	if l.lock, err = openLock(l.o.Files, l.o.Dir); err != nil {
		return err
	}
	if l.file, err = l.o.Files.Open(l.path); err != nil {
		return &StoreError{"open", l.path, err}
	}

	return nil
}

// Close closes the files. The record must not be used any more.
func (l *Log) Close() error {
	var errs []error
	if l.repair {
		errs = append(errs, l.cutBack())
	}
	if l.file != nil {
		errs = append(errs, l.file.Close())
	}
	if l.lock != nil {
		errs = append(errs, l.lock.close())
	}

	return errors.Join(errs...)
}

// Begin waits for the folder's lock and reads what others have appended; End has to follow if there is no error. Errors:
// *StoreError, *LockError, *DamagedError, the cause of ctx.
func (l *Log) Begin(ctx context.Context) error {
	if err := l.lock.acquire(ctx, l.o.LockWait); err != nil {
		return err
	}
	err := l.mend()
	if err == nil {
		err = l.catchUp()
	}
	if err != nil {
		l.End()
	}

	return err
}

// End gives the lock back.
func (l *Log) End() {
	if !l.repair {
		l.lock.release()
	}
}

// View shows the state to f; what it hands out may be kept, but for the State itself and its maps.
func (l *Log) View(f func(*State)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	f(l.state)
}

// Expired returns the values whose time is over and that are not recorded as expired. It may be called between Begin and End
// only.
func (l *Log) Expired(now time.Time) []*Value {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.state.Expired(now)
}

// Head is the end of the record, as far as it was read.
func (l *Log) Head() Head {
	l.mu.RLock()
	defer l.mu.RUnlock()

	return l.chain.head
}

// Changed says whether another process has appended something that Begin would read.
func (l *Log) Changed() (bool, error) {
	if l.o.Dir == "" || l.writing.Load() {
		return false, nil
	}
	l.mu.RLock()
	end := l.chain.end
	l.mu.RUnlock()
	size, err := l.file.Size()
	if err != nil {
		return false, &StoreError{"look at", l.path, err}
	}

	return size != end, nil
}

// EntryAt returns the entry whose line begins at an offset of a [Machine]'s Steps. Errors: *StoreError, *DamagedError.
func (l *Log) EntryAt(offset int64) (Entry, error) {
	return entryAt(l.file, l.path, offset)
}
