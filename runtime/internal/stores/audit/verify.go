package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// Verify reads a whole audit log and returns its head: every line has to be as it was written, and to follow the one before. With an
// anchor, a head that was noted earlier, it also finds that lines were cut off, or the whole chain written again. Errors:
// *DamagedError for the first fault; what r says.
func Verify(r io.Reader, anchor *Head) (Head, error) {
	return verifyChain(&chain{}, r, anchor, nil)
}

// verifyChain verifies a chain, and gives each entry to seen if that is not nil.
func verifyChain(c *chain, r io.Reader, anchor *Head, seen func(Entry) error) (Head, error) {
	err := c.readLines(r, func(e Entry, at int64) error {
		if anchor != nil && e.Seq == anchor.Seq && e.Hash != anchor.Hash {
			return &DamagedError{Path: c.path, Line: e.Seq, Seq: e.Seq, Offset: at,
				Problem: "its hash is not that of the anchor: the record was rewritten, or the anchor is of another record"}
		}
		if seen == nil {
			return nil
		}

		return seen(e)
	})
	switch {
	case errors.As(err, new(*torn)):
		return c.head, c.newDamagedError("it is not complete: its last write was interrupted")
	case err != nil:
		return c.head, err
	case anchor != nil && anchor.Seq > c.head.Seq:
		return c.head, &DamagedError{Path: c.path, Seq: c.head.Seq + 1, Problem: fmt.Sprintf(
			"it ends with entry %d, but the anchor knows entry %d: its tail was cut off", c.head.Seq, anchor.Seq)}
	}

	return c.head, nil
}

// VerifyFolder is Verify for the audit log of a folder, up to where it ends now, and shows each
// entry to seen, unless that is nil. Errors, beside those of Verify: *StoreError, *LockError;
// fs.ErrNotExist if there is none; what seen says.
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

	return verifyChain(&chain{path: path}, io.LimitReader(file, size), anchor, seen)
}

// settledSize is the size of an audit log between two writes. Where this process may not take the
// lock, it takes the size as it is.
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
