package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// migrations make the tables; each brings a store from the version that is its index to the next. Programs of older versions may go on
// using the tables. The length of the leases of version 1 is not known: it is taken to be that of the store that migrates. Owners of
// versions below 3 are not identified: their runs are free when the lease has expired. Versions below 4 do not know when a paused run is due:
// a run that one of them has paused again may have the time of the pause before, and its journal decides.
var migrations = []string{`
CREATE TABLE agentc_runs (
	run {name} NOT NULL PRIMARY KEY,
	fence BIGINT NOT NULL,
	expires BIGINT NOT NULL,
	program TEXT NOT NULL DEFAULT '',
	agent TEXT NOT NULL DEFAULT '',
	status TEXT NOT NULL DEFAULT '',
	begun BIGINT NOT NULL DEFAULT 0
){clustered};
CREATE INDEX agentc_runs_status ON agentc_runs (status, begun);
CREATE INDEX agentc_runs_begun ON agentc_runs (begun);
CREATE TABLE agentc_blocks (
	run {name} NOT NULL,
	pos BIGINT NOT NULL,
	data {bytes} NOT NULL,
	PRIMARY KEY (run, pos)
){clustered};
CREATE TABLE agentc_messages (
	id {id},
	run {name} NOT NULL,
	data {bytes} NOT NULL
);
CREATE INDEX agentc_messages_run ON agentc_messages (run)`, `
ALTER TABLE agentc_runs ADD COLUMN lease BIGINT NOT NULL DEFAULT {lease}`, `
ALTER TABLE agentc_runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''`, `
ALTER TABLE agentc_runs ADD COLUMN due BIGINT NOT NULL DEFAULT 0;
CREATE INDEX agentc_runs_due ON agentc_runs (due)`}

// tooNew returns an error if the version of the tables is not known here.
func tooNew(version int) error {
	if version <= len(migrations) {
		return nil
	}
	const text = "its tables have version %d, and this program knows versions up to %d: a newer agentc made them"

	return &errs.Coded{Code: "FormatError", Text: fmt.Sprintf(text, version, len(migrations))}
}

// noVersion is what is wrong with tables whose version is not recorded.
func noVersion() error {
	const text = "its table agentc_store has lost its row, which names the version of agentc that made the other tables: " +
		"restore the store from a backup, or, if this version made them, execute INSERT INTO agentc_store VALUES (%d)"

	return &errs.Coded{Code: "FormatError", Text: fmt.Sprintf(text, len(migrations))}
}

// versionOf reads the version of the tables.
func versionOf(ctx context.Context, q querier) (version int, err error) {
	err = q.QueryRowContext(ctx, "SELECT version FROM agentc_store").Scan(&version)

	return version, err
}

// migrate makes the tables, or brings those of an older version up to date.
func (s *Store) migrate(ctx context.Context, db *sql.DB) error {
	known := len(migrations)
	if version, err := versionOf(ctx, db); err == nil && version >= known {
		return tooNew(version) // without a write: the store may be read-only
	}

	return inTransaction(ctx, db, func(ctx context.Context, q querier) (err error) {
		exec := func(statements ...string) {
			for _, statement := range statements {
				if err == nil && statement != "" {
					_, err = q.ExecContext(ctx, s.sql.Replace(statement))
				}
			}
		}
		exec(s.dialect.Exclusive,
			"CREATE TABLE IF NOT EXISTS agentc_store (version BIGINT NOT NULL)",
			"INSERT INTO agentc_store (version) SELECT 0 WHERE {has_runs} = 0 AND NOT EXISTS (SELECT 1 FROM agentc_store)")
		if err != nil {
			return err
		}
		version, err := versionOf(ctx, q)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noVersion()
		case err != nil || version >= known: // another process was faster
			return cmp.Or(err, tooNew(version))
		}
		for _, migration := range migrations[version:] {
			exec(strings.Split(migration, ";")...)
		}
		exec(fmt.Sprint("UPDATE agentc_store SET version = ", known))

		return err
	})
}
