package journal

import (
	"context"
	"errors"
	"io"
	"strings"
)

// Create makes the journal of a run and writes its first record; when it returns, both survive a crash. Errors: ErrRunExists,
// *StoreError, what the store says.
func Create(ctx context.Context, store Store, run string, begin Record) (*Writer, error) {
	file, err := store.Create(ctx, run)
	if err != nil {
		return nil, err
	}
	w := newWriter(run, file, &decoder{})
	w.before = []byte(headerLine(run))
	begin.Type = Begin
	w.Append(begin)
	if err := w.Sync(); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return w, nil
}

// Open reads the journal of a run and owns it; a torn end is cut off. Errors: ErrRunLocked, ErrUnknownRun, ErrNotBegun,
// *DamagedError, *FormatError, *StoreError, what the store says.
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
	d, err := decode(run, string(content), every)
	if err != nil {
		return nil, err
	}
	if d.journal.Cut != nil {
		if err := file.Truncate(int64(d.end)); err != nil {
			return nil, storeError("cut", run, err)
		}
	}
	if err := file.Sync(); err != nil {
		return nil, storeError("sync", run, err)
	}

	return d, nil
}

// Read reads the journal of a run without owning it, also while its owner writes. A torn end is reported and left alone; of a damaged
// journal the records before the damage are returned with the error, as [Decode] does. Errors: ErrUnknownRun, ErrNotBegun,
// *DamagedError, *FormatError, *StoreError, what the store says.
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
	var content strings.Builder
	if sized, ok := r.(interface{ Size() int64 }); ok {
		content.Grow(int(sized.Size()))
	}
	if err := errors.Join(readInto(&content, r), r.Close()); err != nil {
		return nil, storeError("read", run, err)
	}

	return decode(run, content.String(), kept)
}

// readInto is io.Copy, which would bring what the standard library knows about copying between files and sockets into every binary:
// 50 KB.
func readInto(content *strings.Builder, r io.Reader) error {
	chunk := make([]byte, 32<<10)
	for {
		n, err := r.Read(chunk)
		content.Write(chunk[:n])
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// storeError wraps what a store said, unless the store has done so.
func storeError(op, run string, err error) error {
	if known := (*StoreError)(nil); errors.As(err, &known) {
		return err
	}

	return &StoreError{Op: op, Path: run, Err: err}
}
