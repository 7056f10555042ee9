package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// Verify reads a whole record and returns its head: every line has to be as it was written, and to follow the one before. With an
// anchor, a head that was noted earlier, it also finds that lines were cut off, or the whole chain written anew. Errors:
// *DamagedError for the first fault; what r says.
func Verify(r io.Reader, anchor *Head) (Head, error) {
	return verify(&chain{}, r, anchor, nil)
}

// verify shows each entry to seen, unless that is nil.
func verify(c *chain, r io.Reader, anchor *Head, seen func(e Entry, at int64) error) (Head, error) {
	err := c.read(r, func(e Entry, at int64) error {
		if anchor != nil && e.Seq == anchor.Seq && e.Hash != anchor.Hash {
			return &DamagedError{Path: c.path, Line: e.Seq, Seq: e.Seq, Offset: at,
				Problem: "its hash is not that of the anchor: the record was written anew, or the anchor is of another record"}
		}
		if seen == nil {
			return nil
		}

		return seen(e, at)
	})
	var tail *torn
	switch {
	case errors.As(err, &tail):
		return c.head, c.damaged("it is not complete: its last write was broken off")
	case err != nil:
		return c.head, err
	case anchor != nil && anchor.Seq > c.head.Seq:
		return c.head, &DamagedError{Path: c.path, Seq: c.head.Seq + 1, Problem: fmt.Sprintf(
			"it ends with entry %d, but the anchor knows entry %d: its tail was cut off", c.head.Seq, anchor.Seq)}
	}

	return c.head, nil
}

// VerifyFolder is Verify for the record of a folder, up to where it ends now, and shows each entry to seen, unless that is nil.
// It also finds a checkpoint that is not what the record comes to. Errors, beside those of Verify: *StoreError, *LockError;
// fs.ErrNotExist if there is no record; what seen says.
func VerifyFolder(ctx context.Context, dir string, anchor *Head, seen func(Entry) error) (Head, error) {
	path := filepath.Join(dir, recordName)
	file, err := os.Open(path)
	if err != nil {
		return Head{}, err
	}
	defer file.Close()
	size, err := settledSize(ctx, dir, file)
	if err != nil {
		return Head{}, err
	}
	saved, body, ok, err := readCheckpoint(files.OS, dir)
	if err != nil {
		return Head{}, err
	}

	state, c := newState(), &chain{path: path}
	head, err := verify(c, io.LimitReader(file, size), anchor, func(e Entry, at int64) error {
		state.apply(&e, at)
		if ok && e.Seq == saved.Seq {
			if err := compare(state, c, at, body); err != nil {
				return err
			}
		}
		if seen == nil {
			return nil
		}

		return seen(e)
	})
	if err == nil && ok && saved.Seq > head.Seq {
		err = &DamagedError{Path: path, Seq: head.Seq + 1, Problem: fmt.Sprintf(
			"it ends with entry %d, but %s knows entry %d: its tail was cut off", head.Seq, checkpointName, saved.Seq)}
	}

	return head, err
}

// compare holds a checkpoint against what the record comes to at its entry, the last of the chain.
func compare(state *State, c *chain, at int64, body []byte) error {
	want, err := state.encode(c.head, at, c.end)
	if err != nil {
		return err
	}
	if !bytes.Equal(want, body) {
		const problem = "it is not what the record comes to at entry %d: take it away, and it is told from the record anew"
		path := filepath.Join(filepath.Dir(c.path), checkpointName)

		return &DamagedError{Path: path, Seq: c.head.Seq, Problem: fmt.Sprintf(problem, c.head.Seq)}
	}

	return nil
}

// settledSize is the size of a record while nobody writes. Where this process may not take the lock, nobody it knows of does.
func settledSize(ctx context.Context, dir string, file *os.File) (int64, error) {
	if lock, err := openLock(files.OS, dir); err == nil {
		defer lock.close()
		if err := lock.acquire(ctx, lockWait); err != nil {
			return 0, err
		}
	}
	info, err := file.Stat()
	if err != nil {
		return 0, &StoreError{"look at", file.Name(), err}
	}

	return info.Size(), nil
}
