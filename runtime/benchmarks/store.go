package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/postgres/postgrestest"
	"github.com/agentc-dev/agentc/runtime/sqlite"
)

// The goals of stores in databases.
const (
	sqliteAsFiles    = 2 // times an effect in the file store
	postgresAsInsert = 2 // times a bare insert in a transaction
)

// measureStores measures effects that are recorded in databases. PostgreSQL is measured where it is installed.
func (b *bench) measureStores(ctx context.Context) error {
	server, err := postgrestest.Start()
	if errors.Is(err, postgrestest.ErrMissing) {
		b.progress.say("store: %v", err)
		return b.onDisk(ctx, "store", (*journalBench).measureSQLite)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	postgres := func(b *journalBench) error { return b.measurePostgres(server) }

	return errors.Join(b.onDisk(ctx, "store", (*journalBench).measureSQLite, postgres), server.Stop())
}

// sizes are how many effects a contestant does at a time, and how often.
func (b *journalBench) sizes() (each, rounds int) {
	if b.small {
		return 4, 1
	}

	return 200, 7
}

// begun is a contestant that does effects of a run in a store. done closes both.
func (b *journalBench) begun(name string, store journal.Store, each int) (c contest.Contestant, done func() error, err error) {
	w, err := journal.Create(b.ctx, store, "bench", journal.Record{Time: time.Now()})
	if err != nil {
		return c, nil, err
	}

	return b.journaled(name, []*journal.Writer{w}, each), func() error {
		err := w.Close()
		if c, ok := store.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}

		return err
	}, nil
}

func (b *journalBench) measureSQLite() error {
	b.progress.say("store, SQLite")
	store, err := sqlite.Open("sqlite:" + filepath.Join(b.folder, "runs.db"))
	if err != nil {
		return err
	}
	each, rounds := b.sizes()
	inDatabase, done, err := b.begun("database", store, each)
	if err != nil {
		return err
	}
	inFile, closeFile, err := b.begun("file", journal.Files(filepath.Join(b.folder, "runs")), each)
	if err != nil {
		return errors.Join(err, done())
	}
	scores, err := contest.Hold(rounds, inDatabase, inFile)
	b.compare("store, SQLite: an effect / one in the file store", scores, "database", "file", goal{atMost, sqliteAsFiles})

	return errors.Join(err, done(), closeFile())
}

func (b *journalBench) measurePostgres(server *postgrestest.Server) error {
	b.progress.say("store, PostgreSQL")
	address, err := server.New("bench")
	if err != nil {
		return err
	}
	store, err := postgres.Open(address)
	if err != nil {
		return err
	}
	each, rounds := b.sizes()
	inStore, done, err := b.begun("store", store, each)
	if err != nil {
		return err
	}
	scores, err := b.besideInserts(address, inStore, each, rounds)
	what := "store, PostgreSQL: an effect / a bare insert of the same bytes in a transaction"
	b.compare(what, scores, "store", "bare", goal{atMost, postgresAsInsert})

	return errors.Join(err, done())
}

// besideInserts lets a contestant take turns with inserts into a table.
func (b *journalBench) besideInserts(address string, c contest.Contestant, each, rounds int) ([]contest.Score, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := db.ExecContext(b.ctx, "CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, data BYTEA NOT NULL)"); err != nil {
		return nil, err
	}
	text, err := b.anew()
	if err != nil {
		return nil, err
	}

	return contest.Hold(rounds, c, b.together("bare", 1, each, func(_, n int) error { return b.insert(db, []byte(text(n))) }))
}

// insert inserts a row in a transaction.
func (b *journalBench) insert(db *sql.DB, data []byte) error {
	tx, err := db.BeginTx(b.ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(b.ctx, "INSERT INTO bare (data) VALUES ($1)", data); err != nil {
		return errors.Join(err, tx.Rollback())
	}

	return tx.Commit()
}
