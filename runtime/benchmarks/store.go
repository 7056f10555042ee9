package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	folder, err := os.MkdirTemp("", "agentc-benchmarks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	j := &journalBench{bench: b, ctx: ctx, folder: folder}
	if err := errors.Join(j.measureSQLite(), j.failed); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	server, err := postgrestest.Start()
	if errors.Is(err, postgrestest.ErrMissing) {
		b.progress.say("store: %v", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := errors.Join(j.measurePostgres(server), j.failed, server.Stop()); err != nil {
		return fmt.Errorf("store: %w", err)
	}

	return nil
}

// sizes are how many effects a contestant does at a time, and how often.
func (b *journalBench) sizes() (each, rounds int) {
	if b.small {
		return 4, 1
	}

	return 200, 7
}

// begun begins a run in a store that is closed at the end.
func (b *journalBench) begun(store journal.Store) (w *journal.Writer, done func(), err error) {
	if w, err = journal.Create(b.ctx, store, "bench", journal.Record{Time: time.Now()}); err != nil {
		return nil, nil, err
	}

	return w, func() {
		b.failIf(w.Close())
		if c, ok := store.(io.Closer); ok {
			b.failIf(c.Close())
		}
	}, nil
}

func (b *journalBench) failIf(err error) {
	if err != nil {
		b.fail(err)
	}
}

func (b *journalBench) measureSQLite() error {
	b.progress.say("store, SQLite")
	store, err := sqlite.Open("sqlite:" + filepath.Join(b.folder, "runs.db"))
	if err != nil {
		return err
	}
	inDatabase, done, err := b.begun(store)
	if err != nil {
		return err
	}
	defer done()
	inFile, closeFile, err := b.begun(journal.Files(filepath.Join(b.folder, "runs")))
	if err != nil {
		return err
	}
	defer closeFile()
	each, rounds := b.sizes()
	scores := contest.Hold(rounds, []contest.Contestant{
		b.journaled("database", []*journal.Writer{inDatabase}, each), b.journaled("file", []*journal.Writer{inFile}, each),
	})
	b.rows = append(b.rows, row{
		what: "store, SQLite: an effect / one in the file store", measured: best(scores, "database") / best(scores, "file"), unit: "x",
		goal: goal{atMost, sqliteAsFiles},
	})

	return nil
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
	w, done, err := b.begun(store)
	if err != nil {
		return err
	}
	defer done()
	size, err := b.effectBytes()
	if err != nil {
		return err
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(b.ctx, "CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, data BYTEA NOT NULL)"); err != nil {
		return err
	}
	each, rounds := b.sizes()
	padding := strings.Repeat("x", size)
	bare := b.together("bare", 1, each, func(_, n int) error {
		text := strconv.Itoa(n) + said
		return b.insert(db, []byte(text+padding[len(text):]))
	})
	scores := contest.Hold(rounds, []contest.Contestant{b.journaled("store", []*journal.Writer{w}, each), bare})
	b.rows = append(b.rows, row{
		what:     "store, PostgreSQL: an effect / a bare insert of the same bytes in a transaction",
		measured: best(scores, "store") / best(scores, "bare"), unit: "x", goal: goal{atMost, postgresAsInsert},
	})

	return nil
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
