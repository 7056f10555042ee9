package journal

import (
	"context"
	"errors"
	"io"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// Create creates the journal of a run and writes its first record; when it returns, both survive a crash. A journal
// that exists without a record, because its process died before the first one was on disk, is begun again. Errors:
// ErrRunExists; ErrRunLocked if a process may still be about to write the first record; *StoreError, others of the
// store.
func Create(ctx context.Context, store Store, run string, begin Record) (*Writer, error) {
	file, err := store.Create(ctx, run)
	if errors.Is(err, ErrRunExists) {
		file, err = takeNotBegun(ctx, store, run)
	}
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

// takeNotBegun owns and empties an existing journal that has no record. Errors: ErrRunExists if it has one,
// ErrRunLocked if a process owns it.
func takeNotBegun(ctx context.Context, store Store, run string) (File, error) {
	// The journal is read before it is owned: a process that resumes the run at this moment must not find it locked.
	_, err := readJournal(ctx, store, run, []Type{Begin})
	if !errors.Is(err, ErrNotBegun) {
		return nil, runError(run, ErrRunExists)
	}
	file, err := store.Open(ctx, run)
	if err != nil {
		return nil, err
	}
	if err := emptyNotBegun(run, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return file, nil
}

// emptyNotBegun removes what a first write that did not reach the disk has left. Errors: ErrRunExists if the journal
// has a record.
func emptyNotBegun(run string, file File) error {
	content, err := file.ReadAll()
	if err != nil {
		return storeError("read", run, err)
	}
	if _, err := decodeJournal(run, content, Begin); !errors.Is(err, ErrNotBegun) {
		return runError(run, ErrRunExists)
	}
	if len(content) == 0 {
		return nil
	}

	return storeError("truncate", run, file.Truncate(0))
}

// Open opens the journal of a run, reads it and owns it until it is closed; a torn end is cut off. Errors:
// ErrRunLocked, ErrUnknownRun, ErrNotBegun, *DamagedError, *FormatError, *StoreError, others of the store.
func Open(ctx context.Context, store Store, run string) (*Journal, *Writer, error) {
	file, err := store.Open(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	d, err := loadOwned(run, file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}

	return d.readableJournal(), newWriter(run, file, d), nil
}

// loadOwned reads a journal that is owned. What its last owner wrote may not be on the disk, as that died before it was: it is now,
// since there must never be two blocks that a crash could take.
func loadOwned(run string, file File) (*decoder, error) {
	content, err := file.ReadAll()
	if err != nil {
		return nil, storeError("read", run, err)
	}
	d, err := decodeJournal(run, content)
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
// changed. If the journal is damaged, Read returns the records before the damage, if there are any, with the error.
//
// With types, Read returns only the first record and those of the types. It still checks every
// byte, because only the blocks before show whether the last record is the end of the run or a text
// that quotes one: so it never reports an unfinished run as done, nor a damaged journal as intact.
// It does not build the records that it leaves out, and keeps none of their texts in memory.
//
// Errors: ErrUnknownRun, ErrNotBegun, *DamagedError, *FormatError, *StoreError, others of the store.
func Read(ctx context.Context, store Store, run string, only ...Type) (*Journal, error) {
	d, err := readJournal(ctx, store, run, only)
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
		d, err = readJournal(ctx, store, run, only) // its new owner may just have cut it
	}
	j := d.readableJournal()
	if j != nil && len(only) > 0 {
		for i := range j.Records {
			j.Records[i].detach()
		}
	}

	return j, err
}

func readJournal(ctx context.Context, store Store, run string, only []Type) (*decoder, error) {
	r, err := store.Read(ctx, run)
	if err != nil {
		return nil, err
	}
	var content []byte
	if file, ok := r.(fileContent); ok {
		content = file.Bytes() // not once more
	} else if content, err = io.ReadAll(r); err != nil {
		return nil, errors.Join(storeError("read", run, err), r.Close())
	}
	if err := r.Close(); err != nil {
		return nil, storeError("read", run, err)
	}

	return decodeJournal(run, content, only...)
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
