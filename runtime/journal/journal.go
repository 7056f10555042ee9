package journal

import (
	"context"
	"errors"
	"io"

	"github.com/agentc-dev/agentc/runtime/internal/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// Create creates the journal of a run and writes its first record; when it returns, both survive a crash. Errors:
// ErrRunExists, *StoreError, others of the store.
func Create(ctx context.Context, store Store, run string, begin Record) (*Writer, error) {
	file, err := store.Create(ctx, run)
	if err != nil {
		return nil, err
	}
	w := newWriter(run, file, &decoder{})
	w.before = []byte(headerLine(run))
	w.offset = int64(len(w.before))
	begin.Type = Begin
	w.Append(begin)
	if err := w.Sync(); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return w, nil
}

// Open opens the journal of a run, reads it and owns it until it is closed; a torn end is cut off. Errors:
// ErrRunLocked, ErrUnknownRun, ErrNotBegun, *DamagedError, *FormatError, *StoreError, others of the store.
func Open(ctx context.Context, store Store, run string) (*Journal, *Writer, error) {
	file, err := store.Open(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	d, err := load(run, file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}

	return &d.journal, newWriter(run, file, d), nil
}

// load reads a journal that is owned. What its last owner wrote may not be on the disk, as that died before it was: it is now,
// since there must never be two blocks that a crash could take.
func load(run string, file File) (*decoder, error) {
	content, err := file.ReadAll()
	if err != nil {
		return nil, storeError("read", run, err)
	}
	d, err := decode(run, content, every)
	if err != nil {
		return nil, err
	}
	if d.journal.Cut != nil {
		err = appendlog.CutBack(file, int64(d.end))
	} else {
		err = file.Sync()
	}
	if err != nil {
		return nil, storeError("sync", run, err)
	}

	return d, nil
}

// Read reads the journal of a run without owning it, even while its owner writes. A torn end is reported and not
// changed. If the journal is damaged, Read returns the records before the damage with the error, as [Decode] does.
// Errors: ErrUnknownRun, ErrNotBegun, *DamagedError, *FormatError, *StoreError, others of the store.
func Read(ctx context.Context, store Store, run string) (*Journal, error) {
	d, err := read(ctx, store, run, every)

	return d.usable(), err
}

// read reads those records of a journal that are to be kept.
func read(ctx context.Context, store Store, run string, kept func(Type) bool) (*decoder, error) {
	d, err := readOnce(ctx, store, run, kept)
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
		return readOnce(ctx, store, run, kept) // its new owner may just have cut it
	}

	return d, err
}

func readOnce(ctx context.Context, store Store, run string, kept func(Type) bool) (*decoder, error) {
	r, err := store.Read(ctx, run)
	if err != nil {
		return nil, err
	}
	var content []byte
	if file, ok := r.(*fileContent); ok {
		content = file.content // not once more
	} else if content, err = io.ReadAll(r); err != nil {
		return nil, errors.Join(storeError("read", run, err), r.Close())
	}
	if err := r.Close(); err != nil {
		return nil, storeError("read", run, err)
	}

	return decode(run, content, kept)
}

// storeError is what failed at a step of a store, which may have said so itself.
func storeError(op, run string, err error) error {
	if known := (*StoreError)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	if step := (*files.StepError)(nil); errors.As(err, &step) {
		return (*StoreError)(step)
	}

	return &StoreError{Op: op, Path: run, Err: err}
}
