package record

import (
	"errors"
	"io"
	"math"
)

// Append appends the entries, after giving them numbers and hashes, and makes sure that they, and all that Begin has read,
// survive a crash; it may be given none. If it fails then nothing has happened. Errors: *StoreError.
func (l *Log) Append(entries []*Entry) error {
	if len(entries) == 0 {
		return l.settle()
	}
	l.writing.Store(true)
	defer l.writing.Store(false)

	next, lines := l.chain, []byte(nil)
	offsets := make([]int64, len(entries))
	for i, e := range entries {
		e.tidy()
		offsets[i] = l.chain.end + int64(len(lines))
		e.Seq, e.Prev = next.head.Seq+1, next.prev()
		lines = e.Append(lines)
		next.head = e.Head()
	}
	next.end += int64(len(lines))
	if err := l.write(lines); err != nil {
		return err
	}

	l.mu.Lock()
	l.chain = next
	for i, e := range entries {
		l.state.apply(e, offsets[i])
	}
	l.mu.Unlock()
	l.saveIfDue()

	return nil
}

// write puts the lines on the disk, or leaves the file as it was.
func (l *Log) write(lines []byte) error {
	op := "write"
	n, err := l.file.WriteAt(lines, l.chain.end)
	if err == nil && n < len(lines) {
		err = io.ErrShortWrite
	}
	if err == nil {
		op, err = "sync", l.sync()
	}
	if err == nil {
		l.unsynced = false
		return nil
	}

	return errors.Join(&StoreError{op, l.path, err}, l.cutBack())
}

// cutBack cuts off what lies behind the end, for good: the cut is on the disk before anything else happens.
func (l *Log) cutBack() error {
	l.repair = true
	if err := l.file.Truncate(l.chain.end); err != nil {
		return &StoreError{"truncate", l.path, err}
	}
	if err := l.sync(); err != nil {
		return &StoreError{"sync", l.path, err}
	}
	l.repair = false

	return nil
}

func (l *Log) sync() error {
	if l.o.NoSync {
		return nil
	}

	return l.file.Sync()
}

// settle makes sure that what was read of others is on the disk: they may have died before they did.
func (l *Log) settle() error {
	if !l.unsynced {
		return nil
	}
	if err := l.sync(); err != nil {
		return &StoreError{"sync", l.path, err}
	}
	l.unsynced = false

	return nil
}

// catchUp reads what lies behind the end, and cuts off a last line that was not completed.
func (l *Log) catchUp() error {
	size, err := l.file.Size()
	switch {
	case err != nil:
		return &StoreError{"look at", l.path, err}
	case size < l.chain.end:
		return &DamagedError{Path: l.path, Seq: l.chain.head.Seq, Problem: "it is shorter than it was: its tail was cut off"}
	case size == l.chain.end:
		return nil
	}

	l.unsynced = true
	next := l.chain
	err = next.read(io.NewSectionReader(l.file, next.end, math.MaxInt64-next.end), func(e Entry, at int64) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.state.apply(&e, at)
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
		l.o.Cut(Cut{Path: l.path, Offset: l.chain.end, Bytes: int64(len(tail.rest))})
	}

	return nil
}

// mend cuts off what an earlier failure left behind the end.
func (l *Log) mend() error {
	if !l.repair {
		return nil
	}

	return l.cutBack()
}
