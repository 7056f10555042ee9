package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// Store is a journal.Store in a database. It connects with the first call.
type Store struct {
	// place is the store as errors name it: without a password.
	place   string
	lease   time.Duration
	dialect Dialect
	sql     *strings.Replacer

	mu sync.Mutex
	db *sql.DB // nil until it is known to have the tables
	// insert is the prepared statement of an append; nil if the dialect prepares none.
	insert *sql.Stmt
}

// New returns the store of a database. The owner of a run that has not renewed its lease for so long has lost it.
func New(place string, lease time.Duration, dialect Dialect) *Store {
	return &Store{place: place, lease: lease, dialect: dialect, sql: dialect.replacer()}
}

// Close closes the connections to the database; a store that is not closed keeps them as long as the process lasts.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db = nil

	return db.Close()
}

// database returns the database once it has the tables.
func (s *Store) database(ctx context.Context, create bool) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	db, err := s.dialect.Open(create)
	if err != nil {
		return nil, err
	}
	err = s.migrate(ctx, db)
	if err == nil && s.dialect.Prepares {
		s.insert, err = db.PrepareContext(ctx, s.sql.Replace(insert))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.db = db

	return db, nil
}

// check is what every call begins with that is about a run.
func check(ctx context.Context, run string) error {
	if err := journal.CheckRun(run); err != nil {
		return err
	}

	return context.Cause(ctx)
}

// failed says which step failed, or why the caller does not want it any more.
func (s *Store) failed(ctx context.Context, op string, err error) error {
	switch {
	case err == nil, errors.Is(err, journal.ErrUnknownRun):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}

	return &journal.StoreError{Op: op, Path: s.place, Err: err}
}

// exec carries out a statement, and returns how many rows it has changed.
func (s *Store) exec(ctx context.Context, q execer, statement string, args ...any) (rows int64, err error) {
	return changed(q.ExecContext(ctx, s.sql.Replace(statement), args...))
}

// changed is how many rows a statement has changed.
func changed(result sql.Result, err error) (rows int64, _ error) {
	if err != nil {
		return 0, err
	}

	return result.RowsAffected()
}

// each calls read with each row that a query returns.
func (s *Store) each(ctx context.Context, db *sql.DB, read func(row *sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, s.sql.Replace(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}

	return rows.Err()
}

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// together carries out statements in one transaction.
func together(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}

	return tx.Commit()
}

// Create implements journal.Store.
func (s *Store) Create(ctx context.Context, run string) (journal.File, error) {
	if err := check(ctx, run); err != nil {
		return nil, err
	}
	db, err := s.database(ctx, true)
	if err != nil {
		return nil, s.failed(ctx, "open", err)
	}
	rows, err := s.exec(ctx, db, "INSERT INTO agentc_runs (run, fence, expires) VALUES ($1, 1, {now} + $2) ON CONFLICT DO NOTHING",
		run, s.lease.Milliseconds())
	switch {
	case err != nil:
		return nil, s.failed(ctx, "create", err)
	case rows == 0:
		return nil, fmt.Errorf("run %s: %w", run, journal.ErrRunExists)
	}

	return s.own(db, run, 1), nil
}

// Open implements journal.Store.
func (s *Store) Open(ctx context.Context, run string) (journal.File, error) {
	f, err := s.open(ctx, run)
	if err != nil {
		return nil, err
	}

	return f, nil
}

func (s *Store) open(ctx context.Context, run string) (*file, error) {
	db, err := s.existing(ctx, run)
	if err != nil {
		return nil, err
	}
	var fence int64
	err = db.QueryRowContext(ctx, s.sql.Replace(
		"UPDATE agentc_runs SET fence = fence + 1, expires = {now} + $2 WHERE run = $1 AND expires <= {now} RETURNING fence",
	), run, s.lease.Milliseconds()).Scan(&fence)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := s.Owned(ctx, run); err != nil {
			return nil, err
		}

		const text = "run %s: %w, or died less than %v ago"
		return nil, fmt.Errorf(text, run, journal.ErrRunLocked, s.lease)
	}
	if err != nil {
		return nil, s.failed(ctx, "open", err)
	}
	f := s.own(db, run, fence)
	if f.size, err = s.size(ctx, run); err != nil {
		return nil, errors.Join(err, f.Close())
	}

	return f, nil
}

// existing returns the database for a call about a run that is there, if the store is.
func (s *Store) existing(ctx context.Context, run string) (*sql.DB, error) {
	if err := check(ctx, run); err != nil {
		return nil, err
	}
	db, err := s.database(ctx, false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unknown(run)
	case err != nil:
		return nil, s.failed(ctx, "open", err)
	}

	return db, nil
}

func unknown(run string) error { return fmt.Errorf("run %s: %w", run, journal.ErrUnknownRun) }

// Read implements journal.Store.
func (s *Store) Read(ctx context.Context, run string) (io.ReadCloser, error) {
	db, err := s.existing(ctx, run)
	if err != nil {
		return nil, err
	}
	content, err := s.content(ctx, db, run)
	if err != nil {
		return nil, s.failed(ctx, "read", err)
	}

	return contentReader{bytes.NewReader(content)}, nil
}

// contentReader reads what was read already; its size is known.
type contentReader struct{ *bytes.Reader }

// Close implements io.Closer.
func (contentReader) Close() error { return nil }

// content returns the journal of a run as it is at one moment.
func (s *Store) content(ctx context.Context, db *sql.DB, run string) (content []byte, err error) {
	found := false
	err = s.each(ctx, db, func(row *sql.Rows) error {
		var data sql.RawBytes // NULL in the only row of a journal that is empty
		err := row.Scan(&data)
		content, found = append(content, data...), true

		return err
	}, "SELECT b.data FROM agentc_runs r LEFT JOIN agentc_blocks b ON b.run = r.run WHERE r.run = $1 ORDER BY b.pos", run)
	if err == nil && !found {
		err = unknown(run)
	}

	return content, err
}

// List implements journal.Store.
func (s *Store) List(ctx context.Context, q journal.Query) ([]string, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	db, err := s.database(ctx, false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, s.failed(ctx, "open", err)
	}
	where, args := conditions(q)
	var runs []string
	err = s.each(ctx, db, func(row *sql.Rows) error {
		var run string
		err := row.Scan(&run)
		runs = append(runs, run)

		return err
	}, "SELECT run FROM agentc_runs WHERE "+where, args...)
	slices.Sort(runs)

	return runs, s.failed(ctx, "list", err)
}

// conditions is a query as SQL.
func conditions(q journal.Query) (where string, args []any) {
	where = "1 = 1"
	add := func(condition string, value any) {
		args = append(args, value)
		where += fmt.Sprint(" AND ", condition, " $", len(args))
	}
	if q.Statuses != nil {
		where += " AND status IN (NULL" // which equals nothing: a list needs an element
		for _, status := range q.Statuses {
			args = append(args, status)
			where += fmt.Sprint(", $", len(args))
		}
		where += ")"
	}
	if q.Program != "" {
		add("program =", q.Program)
	}
	if q.Agent != "" {
		add("agent =", q.Agent)
	}
	if !q.Since.IsZero() {
		add("begun >=", q.Since.UnixNano())
	}
	if !q.Until.IsZero() {
		add("begun <=", q.Until.UnixNano())
	}

	return where, args
}

// Remove implements journal.Store.
func (s *Store) Remove(ctx context.Context, run string) error {
	f, err := s.open(ctx, run)
	if err != nil {
		return err
	}
	err = together(ctx, f.db, func(tx *sql.Tx) error {
		// The row is the first: who leaves a message at the same time holds it, and its message goes with the others.
		err := f.write(ctx, tx, "DELETE FROM agentc_runs WHERE run = $1 AND fence = $2")
		for _, table := range []string{"agentc_blocks", "agentc_messages"} {
			if err == nil {
				_, err = s.exec(ctx, tx, "DELETE FROM "+table+" WHERE run = $1", run)
			}
		}

		return err
	})
	if err != nil {
		return errors.Join(s.failed(ctx, "remove", err), f.Close())
	}

	return f.Close()
}

// Post implements journal.Store.
func (s *Store) Post(ctx context.Context, run string, message []byte) error {
	db, err := s.existing(ctx, run)
	if err != nil {
		return err
	}
	rows, err := s.exec(ctx, db, "INSERT INTO agentc_messages (run, data) SELECT run, $2 FROM agentc_runs WHERE run = $1{hold}",
		run, append([]byte{}, message...)) // nil would be NULL
	if err == nil && rows == 0 {
		return unknown(run)
	}

	return s.failed(ctx, "write", err)
}

// Owned implements journal.Store.
func (s *Store) Owned(ctx context.Context, run string) (owned bool, err error) {
	return owned, s.ask(ctx, run, "SELECT expires > {now} FROM agentc_runs WHERE run = $1", &owned)
}

// Writable implements journal.Store.
func (s *Store) Writable(ctx context.Context) error {
	db, err := s.database(ctx, true)
	if err == nil {
		_, err = s.exec(ctx, db, "UPDATE agentc_store SET version = version")
	}

	return s.failed(ctx, "write", err)
}

// Stamp implements journal.Store. Only an owner cuts a journal, so the fence distinguishes those of the same size.
func (s *Store) Stamp(ctx context.Context, run string) (size, changed int64, err error) {
	if size, err = s.size(ctx, run); err == nil {
		err = s.ask(ctx, run, "SELECT fence FROM agentc_runs WHERE run = $1", &changed)
	}

	return size, changed, err
}

// size returns the length of a journal.
func (s *Store) size(ctx context.Context, run string) (size int64, err error) {
	const statement = "SELECT COALESCE((SELECT b.pos + LENGTH(b.data) FROM agentc_blocks b WHERE b.run = r.run ORDER BY b.pos DESC LIMIT 1), 0) " +
		"FROM agentc_runs r WHERE r.run = $1"

	return size, s.ask(ctx, run, statement, &size)
}

// ask answers a question about a run.
func (s *Store) ask(ctx context.Context, run, query string, answer any) error {
	db, err := s.existing(ctx, run)
	if err != nil {
		return err
	}
	err = db.QueryRowContext(ctx, s.sql.Replace(query), run).Scan(answer)
	if errors.Is(err, sql.ErrNoRows) {
		return unknown(run)
	}

	return s.failed(ctx, "look at", err)
}
