package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

const (
	// pieceBytes is the most of a journal that is in one row.
	pieceBytes = 4 << 20
	// patience is how long a step of an owner may take, which has no context: a connection that is gone may say nothing.
	patience = time.Minute
	// renewals is how often a lease is renewed before it would end.
	renewals = 4
)

// file is the journal of a run, owned as long as the fence of the run is this one.
type file struct {
	store *Store
	db    *sql.DB
	run   string
	fence int64
	// size is that of the journal in the database; pending comes behind it with the next Sync, and so does label, unless it is nil.
	size    int64
	pending []byte
	label   *journal.Labels

	closed atomic.Bool
	// renewing ends the goroutine that renews the lease.
	renewing chan struct{}
}

// own returns the file of a run that was just taken.
func (s *Store) own(db *sql.DB, run string, fence int64) *file {
	f := &file{store: s, db: db, run: run, fence: fence, renewing: make(chan struct{})}
	go f.renew()

	return f
}

// renew renews the lease until the file is closed. What fails is tried again: as long as no other process has taken the run over, a
// lease that has ended can be renewed, too.
func (f *file) renew() {
	ticker := time.NewTicker(f.store.lease / renewals)
	defer ticker.Stop()
	for {
		select {
		case <-f.renewing:
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), f.store.lease)
		_ = f.write(ctx, f.db, "UPDATE agentc_runs SET expires = {now} + $3 WHERE run = $1 AND fence = $2", f.store.lease.Milliseconds())
		cancel()
	}
}

// write carries out a statement, which changes a row unless the run is no longer owned.
func (f *file) write(ctx context.Context, q execer, statement string, args ...any) error {
	return f.owned(f.store.exec(ctx, q, statement, append([]any{f.run, f.fence}, args...)...))
}

// owned returns an error if a statement has changed no row: the run is no longer owned.
func (f *file) owned(rows int64, err error) error {
	if err == nil && rows == 0 {
		err = f.lost()
	}

	return err
}

// lost says why a write found no run of this fence.
func (f *file) lost() error {
	const text = "%w: this one did not renew its lease of %v in time, or the run was removed"

	return fmt.Errorf(text, journal.ErrRunLocked, f.store.lease)
}

// step carries out one step, unless the file is closed.
func (f *file) step(op string, do func(ctx context.Context) error) error {
	if f.closed.Load() {
		return &journal.StoreError{Op: op, Path: f.store.place, Err: fs.ErrClosed}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := do(ctx)
	if err == nil && f.store.dialect.Present != nil {
		err = f.store.dialect.Present()
	}
	if err != nil {
		return &journal.StoreError{Op: op, Path: f.store.place, Err: err}
	}

	return nil
}

// ReadAll implements journal.File.
func (f *file) ReadAll() (content []byte, err error) {
	if len(f.pending) > 0 {
		if err := f.Sync(); err != nil {
			return nil, err
		}
	}
	err = f.step("read", func(ctx context.Context) error {
		content, err = f.store.content(ctx, f.db, f.run)
		return err
	})

	return content, err
}

// Append implements journal.File. The bytes get into the database with the next Sync.
func (f *file) Append(p []byte) error {
	return f.step("write", func(context.Context) error {
		f.pending = append(f.pending, p...)
		return nil
	})
}

// Label implements journal.File.
func (f *file) Label(l journal.Labels) { f.label = &l }

// Sync implements journal.File.
func (f *file) Sync() error { return f.step("write", f.flush) }

func (f *file) flush(ctx context.Context) (err error) {
	switch {
	case f.label == nil && len(f.pending) == 0:
		return f.check(ctx)
	case f.label == nil && len(f.pending) <= pieceBytes:
		err = f.append(ctx)
	default:
		err = together(ctx, f.db, f.flushAll(ctx))
	}
	if err != nil {
		return err
	}
	f.size += int64(len(f.pending))
	f.label, f.pending = nil, f.pending[:0]
	if cap(f.pending) > pieceBytes { // such blocks are rare
		f.pending = nil
	}

	return nil
}

// append writes what is pending by one statement.
func (f *file) append(ctx context.Context) error {
	if f.store.insert == nil {
		return f.write(ctx, f.db, insert, f.size, f.pending)
	}
	return f.owned(changed(f.store.insert.ExecContext(ctx, f.run, f.fence, f.size, f.pending)))
}

// check finds out whether the run is still there, and owned.
func (f *file) check(ctx context.Context) error {
	var fence int64
	err := f.store.ask(ctx, f.run, "SELECT fence FROM agentc_runs WHERE run = $1", &fence)
	if err == nil && fence != f.fence {
		return f.lost()
	}

	return err
}

// flushAll writes what does not fit into one statement.
func (f *file) flushAll(ctx context.Context) func(tx *sql.Tx) error {
	return func(tx *sql.Tx) error {
		if l := f.label; l != nil {
			err := f.write(ctx, tx, "UPDATE agentc_runs SET program = $3, agent = $4, status = $5, begun = $6 WHERE run = $1 AND fence = $2",
				l.Program, l.Agent, l.Status, l.Begun.UnixNano())
			if err != nil {
				return err
			}
		}
		at := f.size
		for piece := range slices.Chunk(f.pending, pieceBytes) {
			if err := f.write(ctx, tx, insert, at, piece); err != nil {
				return err
			}
			at += int64(len(piece))
		}

		return nil
	}
}

// insert writes a piece of a journal. A server that takes the run over at the same time waits for it, and so reads it.
const insert = "INSERT INTO agentc_blocks (run, pos, data) SELECT run, $3, $4 FROM agentc_runs WHERE run = $1 AND fence = $2{hold}"

// Truncate implements journal.File. What a Sync that failed may have left is cut off, too.
func (f *file) Truncate(size int64) error {
	f.pending = f.pending[:max(0, min(size-f.size, int64(len(f.pending))))]
	f.size, f.label = min(size, f.size), nil

	return f.step("truncate", func(ctx context.Context) error {
		return together(ctx, f.db, func(tx *sql.Tx) error {
			err := f.write(ctx, tx, "UPDATE agentc_runs SET fence = fence WHERE run = $1 AND fence = $2")
			if err == nil {
				_, err = f.store.exec(ctx, tx, "DELETE FROM agentc_blocks WHERE run = $1 AND pos >= $2", f.run, f.size)
			}
			if err == nil {
				_, err = f.store.exec(ctx, tx, "UPDATE agentc_blocks SET data = SUBSTR(data, 1, CAST($2 - pos AS INTEGER)) "+
					"WHERE run = $1 AND pos < $2 AND pos + LENGTH(data) > $2", f.run, f.size)
			}

			return err
		})
	})
}

// Messages implements journal.File.
func (f *file) Messages() (messages [][]byte, err error) {
	err = f.step("read the messages of", func(ctx context.Context) error {
		var some bool
		err := f.store.ask(ctx, f.run, "SELECT EXISTS (SELECT 1 FROM agentc_messages WHERE run = $1)", &some)
		if err != nil || !some { // mostly: a delete would wait for other writers
			return err
		}
		messages, err = f.takeMessages(ctx)

		return err
	})

	return messages, err
}

func (f *file) takeMessages(ctx context.Context) ([][]byte, error) {
	texts := map[int64][]byte{}
	err := f.store.each(ctx, f.db, func(row *sql.Rows) error {
		var id int64
		var text []byte
		err := row.Scan(&id, &text)
		texts[id] = text

		return err
	}, "DELETE FROM agentc_messages WHERE run = $1 "+
		"AND EXISTS (SELECT 1 FROM agentc_runs WHERE run = $1 AND fence = $2) RETURNING id, data", f.run, f.fence)
	var messages [][]byte
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		messages = append(messages, texts[id])
	}

	return messages, err
}

// Close implements journal.File. A lease that cannot be given back ends by itself, and nothing else is lost by that.
func (f *file) Close() error {
	if f.closed.Load() {
		return nil
	}
	var err error
	if len(f.pending) > 0 {
		err = f.Sync()
	}
	close(f.renewing)
	_ = f.step("close", func(ctx context.Context) error {
		return f.write(ctx, f.db, "UPDATE agentc_runs SET expires = 0 WHERE run = $1 AND fence = $2")
	})
	f.closed.Store(true)

	return err
}
