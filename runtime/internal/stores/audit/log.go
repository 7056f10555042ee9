package audit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// DefaultDir is the folder of a program's audit log unless another is named.
const DefaultDir = ".agentc/board"

// lockWait is how long another process may hold a folder.
const lockWait = 10 * time.Second

// The files of a folder.
const (
	recordName = "record.jsonl"
	lockName   = "lock"
	nextName   = "next"
)

// Options are where an audit log is and how it is kept.
type Options struct {
	// Dir is the folder; it is made if it is not there. "": in memory.
	Dir string
	// NoSync leaves it to the system when lines reach the disk: a process that dies loses nothing,
	// a computer may.
	NoSync bool
	// LockWait is how long another process may hold the folder; 0: ten seconds.
	LockWait time.Duration
	// Cut, if it is not nil, receives the end of an audit log that was cut off, as its last write
	// was not completed.
	Cut func(Cut)
	// Files are the files of the system, or of memory without Dir, if it is nil.
	Files files.System
}

// Cut is what was cut off the end of an audit log. No entry of it was ever answered.
type Cut struct {
	Path   string
	Offset int64
	Bytes  int64
}

// Log is an audit log that can be appended to. Between Begin and End it is held against other
// processes; only one goroutine may be there at a time. View, Head, Changed and EntryAt are safe at
// any time.
type Log struct {
	o    Options
	file *appendlog.File
	lock *folderLock
	// repair reports whether behind the end are bytes that could not be cut off. Until then this
	// process keeps the lock, so that no other takes them for entries.
	repair bool
	// unsynced reports whether lines of others were read that may not be on the disk.
	unsynced bool
	// writing keeps readers from taking this process's own writing for that of another.
	writing atomic.Bool

	mu    sync.RWMutex // over what follows
	state *State
	chain chain
}

// Open opens the audit log of a folder, or begins one. Errors: *StoreError, *LockError,
// *DamagedError.
func Open(ctx context.Context, o Options) (*Log, error) {
	if o.LockWait == 0 {
		o.LockWait = lockWait
	}
	if o.Files == nil {
		o.Files = files.OS
		if o.Dir == "" {
			o.Files = files.NewMemory()
		}
	}
	l := &Log{o: o, state: newState(), chain: chain{path: filepath.Join(o.Dir, recordName)}}
	if err := l.openFiles(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}

	return l, nil
}

func (l *Log) openFiles(ctx context.Context) (err error) {
	if err := files.MakeFolder(l.o.Files, l.o.Dir); err != nil {
		return storeError(err)
	}
	l.lock, err = openLock(l.o.Files, l.o.Dir)
	if err != nil {
		return err
	}
	file, err := l.o.Files.Open(l.chain.path)
	if err != nil {
		return &StoreError{"open", l.chain.path, err}
	}
	l.file = &appendlog.File{File: file, Path: l.chain.path, NoSync: l.o.NoSync}
	if err := l.Begin(ctx); err != nil {
		return err
	}
	defer l.End()
	if err := l.o.Files.SyncFolder(l.o.Dir); err != nil && !l.o.NoSync {
		return &StoreError{"sync", l.o.Dir, err}
	}

	return l.syncReadLines()
}

// Close closes the files. The audit log must not be used any more.
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
	err := l.lock.acquire(ctx, l.o.LockWait)
	if err != nil {
		return err
	}
	if l.repair {
		err = l.cutBack()
	}
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
		l.lock.lock.release()
	}
}

// Append appends the entries, after giving them numbers and hashes, and makes sure that they, and
// all that Begin has read, survive a crash; it may be given none. If it fails then nothing has
// happened. Errors: *StoreError.
func (l *Log) Append(entries []*Entry) error {
	if len(entries) == 0 {
		return l.syncReadLines()
	}
	l.writing.Store(true)
	defer l.writing.Store(false)

	next, lines := l.chain, []byte(nil)
	offsets := make([]int64, len(entries))
	for i, e := range entries {
		e.normalize()
		offsets[i] = l.chain.end + int64(len(lines))
		e.Seq, e.Prev = next.head.Seq+1, next.prevHash()
		var err error
		lines, err = e.Append(lines)
		if err != nil {
			return &StoreError{"encode", l.chain.path, err}
		}
		next.head = e.Head()
	}
	next.end += int64(len(lines))
	l.file.End = l.chain.end
	err := l.file.Append(lines)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return errors.Join(storeError(err), l.cutBack())
	}

	l.unsynced = false
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chain = next
	for i, e := range entries {
		l.state.applyEntry(e, offsets[i])
	}

	return nil
}

// cutBack cuts off what is behind the end, for good: the cut is on the disk before anything else
// happens.
func (l *Log) cutBack() error {
	err := appendlog.CutBack(l.file, l.chain.end)
	l.repair = err != nil

	return storeError(err)
}

// syncReadLines syncs what was read of other processes: they may have died before they synced it.
func (l *Log) syncReadLines() error {
	if !l.unsynced {
		return nil
	}
	err := l.file.Sync()
	l.unsynced = err != nil

	return storeError(err)
}

// catchUp reads what is behind the end, and cuts off a last line that was not completed.
func (l *Log) catchUp() error {
	size, err := l.file.Size()
	switch {
	case err != nil:
		return &StoreError{"look at", l.chain.path, err}
	case size < l.chain.end:
		return &DamagedError{
			Path: l.chain.path, Seq: l.chain.head.Seq, Problem: "it is shorter than it was: its tail was cut off",
		}
	case size == l.chain.end:
		return nil
	}

	l.unsynced = true
	next := l.chain
	err = next.readLines(io.NewSectionReader(l.file, next.end, math.MaxInt64-next.end), func(e Entry, at int64) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.state.applyEntry(&e, at)
		l.chain = next

		return nil
	})
	var tail *torn
	if !errors.As(err, &tail) {
		return err
	}
	if err := l.cutBack(); err != nil {
		return err
	}
	if l.o.Cut != nil {
		l.o.Cut(Cut{Path: l.chain.path, Offset: l.chain.end, Bytes: int64(len(tail.rest))})
	}

	return nil
}

// View shows the state to f; what it hands out may be kept, but for the State itself and its maps.
func (l *Log) View(f func(*State)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	f(l.state)
}

// Expired returns the values whose time is over and that are not recorded as expired. It may be
// called between Begin and End only.
func (l *Log) Expired(now time.Time) []*Entry {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.state.Expired(now)
}

// Head is the end of the audit log, as far as it was read.
func (l *Log) Head() Head {
	l.mu.RLock()
	defer l.mu.RUnlock()

	return l.chain.head
}

// Changed reports whether another process has appended something that Begin would read.
func (l *Log) Changed() (bool, error) {
	if l.o.Dir == "" || l.writing.Load() {
		return false, nil
	}
	l.mu.RLock()
	end := l.chain.end
	l.mu.RUnlock()
	size, err := l.file.Size()
	if err != nil {
		return false, &StoreError{"look at", l.chain.path, err}
	}

	return size != end, nil
}

// EntryAt returns the entry whose line begins at an offset of a [Machine]'s Steps. Errors:
// *DamagedError.
func (l *Log) EntryAt(offset int64) (e Entry, err error) {
	line, err := appendlog.ReadLine(bufio.NewReader(io.NewSectionReader(l.file, offset, math.MaxInt64-offset)), maxLine)
	problem := "no line begins there"
	if err == nil {
		e, problem = parseLine(line[:len(line)-1])
	}
	if problem != "" {
		return Entry{}, &DamagedError{Path: l.chain.path, Offset: offset, Problem: fmt.Sprintf("at byte %d: %s", offset, problem)}
	}

	return e, nil
}
