package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
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
	// size is the size of the journal in the database; pending comes behind it with the next Sync,
	// and so does label, unless it is nil.
	size    int64
	pending []byte
	label   *journal.Labels

	// before is when the previous owner renewed its lease last; zero if it is no longer at work.
	before time.Time

	closed atomic.Bool
	// abandoned reports whether the last change found no connection for a whole lease: the next one
	// does not wait once more.
	abandoned atomic.Bool
	// stopRenewing ends the goroutine that renews the lease, which closes renewed.
	stopRenewing context.CancelFunc
	renewed      chan struct{}
}

// own returns the file of a run that was just taken.
func (s *Store) own(db *sql.DB, run string, fence int64) *file {
	ctx, stop := context.WithCancel(context.Background())
	f := &file{store: s, db: db, run: run, fence: fence, stopRenewing: stop, renewed: make(chan struct{})}
	go f.renew(ctx)

	return f
}

// Renewed implements journal.Leased.
func (f *file) Renewed() time.Time { return f.before }

// renew renews the lease until the context ends. What fails is tried again: as long as no other process has taken the run over, a lease
// that has ended can be renewed, too.
func (f *file) renew(ctx context.Context) {
	defer close(f.renewed)
	pause := f.store.lease / renewals
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_ = f.change(ctx, f.store.single, func(ctx context.Context, q querier) error {
			ctx, cancel := context.WithTimeout(ctx, pause) // a connection that is gone may say nothing
			defer cancel()

			return f.exec(ctx, q, "UPDATE agentc_runs SET expires = {now} + $3 WHERE run = $1 AND fence = $2", f.store.lease.Milliseconds())
		})
	}
}

// change carries out a change by one of the functions of the store, which wait for a connection that is lost.
func (f *file) change(ctx context.Context, by func(context.Context, *sql.DB, change) error, c change) error {
	if f.abandoned.Load() {
		return inTransaction(ctx, f.db, c)
	}
	err := by(ctx, f.db, c)
	f.abandoned.Store(f.store.isLost(err))

	return err
}

// write carries out a change of one statement. It changes a row unless the run is no longer owned.
func (f *file) write(ctx context.Context, statement string, args ...any) error {
	return f.change(ctx, f.store.single, func(ctx context.Context, q querier) error {
		return f.exec(ctx, q, statement, args...)
	})
}

// exec carries out a statement about the run and its fence, which changes a row unless the run is no longer owned.
func (f *file) exec(ctx context.Context, q querier, statement string, args ...any) error {
	rows, err := f.store.exec(ctx, q, statement, append([]any{f.run, f.fence}, args...)...)
	if err == nil && rows == 0 {
		err = f.lost()
	}

	return err
}

// lost returns why a write found no run of this fence.
func (f *file) lost() error {
	const text = "%w: this one did not renew its lease of %v in time, or the run was removed"

	return fmt.Errorf(text, journal.ErrRunLocked, f.store.lease)
}

// step carries out one step, unless the file is closed.
func (f *file) step(op string, do func(ctx context.Context) error) error {
	if f.closed.Load() {
		return &journal.StoreError{Op: op, Path: f.store.place, Err: fs.ErrClosed}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience+f.store.lease)
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
		return f.store.persist(ctx, f.db, func(ctx context.Context) (err error) {
			content, err = f.store.content(ctx, f.db, f.run)
			return err
		})
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
		err = f.write(ctx, insert, f.size, f.pending)
	default:
		err = f.change(ctx, f.store.together, f.flushAll)
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

// check finds out whether the run is still there, and owned.
func (f *file) check(ctx context.Context) error {
	var fence int64
	err := f.store.ask(ctx, f.run, fenceOf, &fence)
	if err == nil && fence != f.fence {
		return f.lost()
	}

	return err
}

// flushAll writes what does not fit into one statement.
func (f *file) flushAll(ctx context.Context, q querier) error {
	if l := f.label; l != nil {
		err := f.exec(ctx, q, "UPDATE agentc_runs SET program = $3, agent = $4, status = $5, begun = $6, due = $7 WHERE run = $1 AND fence = $2",
			l.Program, l.Agent, l.Status, l.Begun.UnixNano(), nanosOf(l.Due))
		if err != nil {
			return err
		}
	}
	at := f.size
	for piece := range slices.Chunk(f.pending, pieceBytes) {
		if err := f.exec(ctx, q, insert, at, piece); err != nil {
			return err
		}
		at += int64(len(piece))
	}

	return nil
}

// nanosOf returns a time as it is stored: 0 for the zero time, and the last one that can be stored
// for those after it.
func nanosOf(t time.Time) int64 {
	switch {
	case t.IsZero():
		return 0
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}

	return t.UnixNano()
}

// insert writes a piece of a journal. A server that takes the run over at the same time waits for it, and so reads it. A piece that is
// there is the same one: its owner did not learn that it was written.
const insert = "INSERT INTO agentc_blocks (run, pos, data) SELECT run, $3, $4 FROM agentc_runs WHERE run = $1 AND fence = $2{hold} " +
	"ON CONFLICT (run, pos) DO UPDATE SET data = excluded.data"

// Truncate implements journal.File. What a Sync that failed may have left is cut off, too.
func (f *file) Truncate(size int64) error {
	f.pending = f.pending[:max(0, min(size-f.size, int64(len(f.pending))))]
	f.size, f.label = min(size, f.size), nil

	return f.step("truncate", func(ctx context.Context) error { return f.change(ctx, f.store.together, f.cut) })
}

// cut takes away what is behind the end of the journal.
func (f *file) cut(ctx context.Context, q querier) error {
	err := f.exec(ctx, q, "UPDATE agentc_runs SET fence = fence WHERE run = $1 AND fence = $2")
	if err == nil {
		_, err = f.store.exec(ctx, q, "DELETE FROM agentc_blocks WHERE run = $1 AND pos >= $2", f.run, f.size)
	}
	if err == nil {
		_, err = f.store.exec(ctx, q, "UPDATE agentc_blocks SET data = SUBSTR(data, 1, CAST($2 - pos AS INTEGER)) "+
			"WHERE run = $1 AND pos < $2 AND pos + LENGTH(data) > $2", f.run, f.size)
	}

	return err
}

// remove takes the run away, with all that belongs to it.
func (f *file) remove(ctx context.Context, q querier) error {
	// The row is the first: who leaves a message at the same time holds it, and its message goes with the others.
	rows, err := f.store.exec(ctx, q, "DELETE FROM agentc_runs WHERE run = $1 AND fence = $2", f.run, f.fence)
	if err == nil && rows == 0 {
		return f.wantRemoved(ctx, q)
	}
	for _, table := range []string{"agentc_blocks", "agentc_messages"} {
		if err == nil {
			_, err = f.store.exec(ctx, q, "DELETE FROM "+table+" WHERE run = $1", f.run)
		}
	}

	return err
}

// wantRemoved returns an error if the run is there, though this owner cannot remove it.
func (f *file) wantRemoved(ctx context.Context, q querier) error {
	var fence int64
	err := f.store.rowOf(ctx, q, f.run, fenceOf, &fence)
	switch {
	case errors.Is(err, journal.ErrUnknownRun):
		return nil
	case err != nil:
		return err
	}

	return f.lost()
}

// fenceOf is the query for the fence of a run.
const fenceOf = "SELECT fence FROM agentc_runs WHERE run = $1"

// message is one that was posted, with its place in the order.
type message struct {
	id   int64
	text []byte
}

// Messages implements journal.File. They are read before they are removed: if the connection is lost meanwhile, they are here.
func (f *file) Messages() (texts [][]byte, err error) {
	err = f.step("read the messages of", func(ctx context.Context) error {
		messages, err := f.messages(ctx)
		if err != nil || len(messages) == 0 { // mostly: a delete would wait for other writers
			return err
		}
		for _, m := range messages {
			texts = append(texts, m.text)
		}
		err = f.removeMessages(ctx, messages)
		if errors.Is(err, journal.ErrRunLocked) { // they are for the new owner
			texts, err = nil, nil
		}

		return err
	})

	return texts, err
}

// messages reads what was posted, in its order.
func (f *file) messages(ctx context.Context) (messages []message, err error) {
	err = f.store.persist(ctx, f.db, func(ctx context.Context) error {
		messages = nil
		return f.store.each(ctx, f.db, func(row *sql.Rows) error {
			var m message
			err := row.Scan(&m.id, &m.text)
			messages = append(messages, m)

			return err
		}, "SELECT id, data FROM agentc_messages WHERE run = $1 ORDER BY id", f.run)
	})

	return messages, err
}

// removeMessages removes messages that were read, and no others.
func (f *file) removeMessages(ctx context.Context, messages []message) error {
	return f.change(ctx, f.store.together, func(ctx context.Context, q querier) error {
		if err := f.exec(ctx, q, "UPDATE agentc_runs SET fence = fence WHERE run = $1 AND fence = $2"); err != nil {
			return err
		}
		for _, m := range messages {
			if _, err := f.store.exec(ctx, q, "DELETE FROM agentc_messages WHERE id = $1", m.id); err != nil {
				return err
			}
		}

		return nil
	})
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
	f.stopRenewing()
	<-f.renewed // which could take the run once more
	_ = f.step("close", func(ctx context.Context) error {
		return f.write(ctx, "UPDATE agentc_runs SET expires = 0 WHERE run = $1 AND fence = $2")
	})
	f.closed.Store(true)

	return err
}
