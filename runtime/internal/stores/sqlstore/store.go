package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Store is a journal.Store in a database. It connects with the first call.
type Store struct {
	// place is the store as errors name it: without a password.
	place   string
	lease   time.Duration
	dialect Dialect
	sql     *strings.Replacer

	// group shares transactions between changes; nil if each has its own.
	group *group

	mu sync.Mutex
	db *sql.DB // nil until it is known to have the tables
	// prepared are the statements that were prepared, by their text.
	prepared map[string]*sql.Stmt
}

// New returns the store of a database. The owner of a run that has not renewed its lease for so long has lost it.
func New(place string, lease time.Duration, dialect Dialect) *Store {
	s := &Store{place: place, lease: lease, dialect: dialect, sql: dialect.replacer(lease)}
	if dialect.Groups {
		s.group = &group{}
	}

	return s
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
	db.SetMaxOpenConns(s.dialect.Connections)
	db.SetMaxIdleConns(s.dialect.Connections)
	if err := s.migrate(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.db, s.prepared = db, map[string]*sql.Stmt{}

	return db, nil
}

// check is what every call begins with that is about a run.
func check(ctx context.Context, run string) error {
	if err := journal.CheckRun(run); err != nil {
		return err
	}

	return context.Cause(ctx)
}

// failed returns which step failed, or why the caller does not want it any more.
func (s *Store) failed(ctx context.Context, op string, err error) error {
	switch {
	case err == nil, errors.Is(err, journal.ErrUnknownRun):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}

	return &journal.StoreError{Op: op, Path: s.place, Err: err}
}

// querier carries out statements: a database or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// statement is one of a database or a transaction.
type statement interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
}

// unprepared is a statement that the database reads each time.
type unprepared struct {
	q    querier
	text string
}

func (u unprepared) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return u.q.ExecContext(ctx, u.text, args...)
}

func (u unprepared) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return u.q.QueryContext(ctx, u.text, args...)
}

// statement returns a statement, which is prepared with the first call if the dialect wants that.
func (s *Store) statement(ctx context.Context, q querier, text string) (statement, error) {
	if !s.dialect.Prepares {
		return unprepared{q, s.sql.Replace(text)}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.prepared[text]
	if known == nil {
		if s.db == nil {
			return nil, sql.ErrConnDone
		}
		var err error
		known, err = s.db.PrepareContext(ctx, s.sql.Replace(text))
		if err != nil {
			return nil, err
		}
		s.prepared[text] = known
	}
	if tx, ok := q.(*sql.Tx); ok {
		return tx.StmtContext(ctx, known), nil
	}

	return known, nil
}

// exec carries out a statement, and returns how many rows it has changed.
func (s *Store) exec(ctx context.Context, q querier, text string, args ...any) (rows int64, err error) {
	statement, err := s.statement(ctx, q, text)
	if err != nil {
		return 0, err
	}
	result, err := statement.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}

	return result.RowsAffected()
}

// each calls read with each row that a query returns.
func (s *Store) each(ctx context.Context, q querier, read func(row *sql.Rows) error, query string, args ...any) error {
	statement, err := s.statement(ctx, q, query)
	if err != nil {
		return err
	}
	rows, err := statement.QueryContext(ctx, args...)
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

// rowOf reads the row of a run. Errors: journal.ErrUnknownRun.
func (s *Store) rowOf(ctx context.Context, q querier, run, query string, columns ...any) error {
	err := unknown(run)
	reading := s.each(ctx, q, func(row *sql.Rows) error {
		err = nil
		return row.Scan(columns...)
	}, query, run)

	return cmp.Or(reading, err)
}

// single carries out a change of one statement.
func (s *Store) single(ctx context.Context, db *sql.DB, c change) error {
	if s.group != nil {
		return s.group.do(ctx, db, c)
	}

	return s.persist(ctx, db, func(ctx context.Context) error { return c(ctx, db) })
}

// together carries out a change of several statements: all of them, or none.
func (s *Store) together(ctx context.Context, db *sql.DB, c change) error {
	if s.group != nil {
		return s.group.do(ctx, db, c)
	}

	return s.persist(ctx, db, func(ctx context.Context) error { return inTransaction(ctx, db, c) })
}

// changed carries out a change of one statement, and returns how many rows it has changed.
func (s *Store) changed(ctx context.Context, db *sql.DB, statement string, args ...any) (rows int64, err error) {
	err = s.single(ctx, db, func(ctx context.Context, q querier) (err error) {
		rows, err = s.exec(ctx, q, statement, args...)
		return err
	})

	return rows, err
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
	fence := newFence()
	rows, err := s.changed(ctx, db, "INSERT INTO agentc_runs (run, fence, expires, lease, owner) VALUES ($1, $2, {now} + $3, $3, $4) "+
		"ON CONFLICT (run) DO UPDATE SET expires = excluded.expires WHERE agentc_runs.fence = excluded.fence",
		run, fence, s.lease.Milliseconds(), ownerColumn(fence))
	switch {
	case err != nil:
		return nil, s.failed(ctx, "create", err)
	case rows == 0:
		return nil, fmt.Errorf("run %s: %w", run, journal.ErrRunExists)
	}

	return s.own(db, run, fence), nil
}

// newFence returns the number of a lease, which no other has. So who takes a run, and does not know whether that took place, can take it
// once more.
func newFence() int64 { return rand.Int64N(1 << 62) }

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
	fence := newFence()
	var before hold
	for {
		before, err = s.readHold(ctx, run)
		if err != nil {
			return nil, err
		}
		ended := fence // of an owner that has ended without giving up the run
		if before.hasDeadOwner() {
			ended = before.fence
		}
		rows, err := s.changed(ctx, db, "UPDATE agentc_runs SET fence = $2, expires = {now} + $3, lease = $3, owner = $4 "+
			"WHERE run = $1 AND (expires <= {now} OR fence = $2 OR fence = $5)", run, fence, s.lease.Milliseconds(), ownerColumn(fence), ended)
		if err != nil {
			return nil, s.failed(ctx, "open", err)
		}
		if rows > 0 {
			break
		}
		left, err := s.left(ctx, run)
		if err != nil {
			return nil, err
		}
		if left > 0 {
			const text = "run %s: %w; if that has died, the run is free in %v"
			return nil, fmt.Errorf(text, run, journal.ErrRunLocked, left)
		}
	}
	f := s.own(db, run, fence)
	f.before = before.renewed()
	f.size, _, err = s.Stamp(ctx, run)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}

	return f, nil
}

// readHold reads what the row of a run contains about its owner.
func (s *Store) readHold(ctx context.Context, run string) (hold, error) {
	var h hold
	err := s.ask(ctx, run, holdOf, h.columns()...)

	return h, err
}

// left returns how much is left of the lease of a run's owner; nothing or less if it has none, or has ended. A clock that was set back
// has a lease end too late. It is cut to its length: an owner that is alive renews it before that has passed. Where that cannot be
// written, no process can take the run either.
func (s *Store) left(ctx context.Context, run string) (time.Duration, error) {
	h, err := s.readHold(ctx, run)
	if err != nil || h.hasDeadOwner() {
		return 0, err
	}
	left := h.expires - h.now
	if left > h.lease {
		left = h.lease
		if db, err := s.existing(ctx, run); err == nil {
			_, _ = s.changed(ctx, db, "UPDATE agentc_runs SET expires = {now} + lease WHERE run = $1 AND expires > {now} + lease", run)
		}
	}

	return time.Duration(left) * time.Millisecond, nil
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
	var content []byte
	err = s.persist(ctx, db, func(ctx context.Context) (err error) {
		content, err = s.content(ctx, db, run)
		return err
	})
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
	err = s.persist(ctx, db, func(ctx context.Context) error {
		runs = nil
		return s.each(ctx, db, func(row *sql.Rows) error {
			var run string
			err := row.Scan(&run)
			runs = append(runs, run)

			return err
		}, "SELECT run FROM agentc_runs WHERE "+where, args...)
	})
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
	if !q.Due.IsZero() {
		where += " AND due <> 0"
		add("due <=", nanosOf(q.Due))
	}

	return where, args
}

// Remove implements journal.Store.
func (s *Store) Remove(ctx context.Context, run string) error {
	f, err := s.open(ctx, run)
	if err != nil {
		return err
	}
	err = s.together(ctx, f.db, f.remove)
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
	rows, err := s.changed(ctx, db, "INSERT INTO agentc_messages (run, data) SELECT run, $2 FROM agentc_runs WHERE run = $1{hold}",
		run, append([]byte{}, message...)) // nil would be NULL
	if err == nil && rows == 0 {
		return unknown(run)
	}

	return s.failed(ctx, "write", err)
}

// Owned implements journal.Store.
func (s *Store) Owned(ctx context.Context, run string) (owned bool, err error) {
	left, err := s.left(ctx, run)

	return left > 0, err
}

// probeTime is how long Writable waits for a connection that is lost: the question is whether the store can be written to now.
const probeTime = 5 * time.Second

// Writable implements journal.Store.
func (s *Store) Writable(ctx context.Context) error {
	db, err := s.database(ctx, true)
	if err == nil {
		briefly, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		_, err = s.changed(briefly, db, "UPDATE agentc_store SET version = version")
	}

	return s.failed(ctx, "write", err)
}

// Stamp implements journal.Store. Only an owner cuts a journal, so the fence distinguishes those of the same size.
func (s *Store) Stamp(ctx context.Context, run string) (size, changed int64, err error) {
	const query = "SELECT COALESCE((SELECT b.pos + LENGTH(b.data) FROM agentc_blocks b WHERE b.run = r.run ORDER BY b.pos DESC LIMIT 1), 0), " +
		"r.fence FROM agentc_runs r WHERE r.run = $1"
	err = s.ask(ctx, run, query, &size, &changed)

	return size, changed, err
}

// ask answers a question about a run.
func (s *Store) ask(ctx context.Context, run, query string, answers ...any) error {
	db, err := s.existing(ctx, run)
	if err != nil {
		return err
	}
	err = s.persist(ctx, db, func(ctx context.Context) error { return s.rowOf(ctx, db, run, query, answers...) })

	return s.failed(ctx, "look at", err)
}
