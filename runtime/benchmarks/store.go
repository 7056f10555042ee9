package main

import (
	"database/sql"
	"errors"
	"io"
	"path/filepath"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/postgres/postgrestest"
	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// The goals of stores in databases.
const (
	sqliteAsFiles    = 2 // times an effect in the file store
	postgresAsInsert = 2 // times a bare insert in a transaction
)

// measureStores measures effects that are recorded in databases. PostgreSQL is measured where it is installed.
func (b *bench) measureStores() {
	b.onDisk((*journalBench).measureSQLite, (*journalBench).measureStarts, (*journalBench).measureRecoveries)
	server, err := postgrestest.Start()
	if errors.Is(err, postgrestest.ErrMissing) {
		b.progress.say("store: %v", err)
		return
	}
	check(err)
	defer func() { check(server.Stop()) }()
	b.onDisk(func(b *journalBench) { b.measurePostgres(server) })
}

// sizes are how many effects a contestant does at a time, and how often.
func (b *journalBench) sizes() (each, rounds int) { return b.size(200, 4), b.size(7, 1) }

// begun is a contestant that does effects of a run in a store. done closes both.
func (b *journalBench) begun(name string, store journal.Store, each int) (c contest.Contestant, done func()) {
	w := must(journal.Create(b.ctx, store, "bench", journal.Record{Time: time.Now()}))

	return b.journaled(name, []*journal.Writer{w}, each), func() {
		check(w.Close())
		if c, ok := store.(io.Closer); ok {
			check(c.Close())
		}
	}
}

func (b *journalBench) measureSQLite() {
	b.progress.say("store, SQLite")
	each, rounds := b.sizes()
	address := "sqlite:" + filepath.Join(b.disk, "runs.db")
	inDatabase, done := b.begun("database", must(sqlite.Open(address)), each)
	defer done()
	unsynced, closeUnsynced := b.begun("unsynced", must(sqlite.Open(address+"-normal?sync=normal")), each)
	defer closeUnsynced()
	inFile, closeFile := b.begun("file", journal.Files(filepath.Join(b.disk, "runs")), each)
	defer closeFile()
	scores := must(contest.Hold(rounds, inDatabase, unsynced, inFile))
	b.compare("store, SQLite: an effect / one in the file store", scores, "database", "file", goal{atMost, sqliteAsFiles})
	b.compare("store, SQLite with sync=normal: an effect / one in the file store", scores, "unsynced", "file", goal{})
	b.compare("store, SQLite: an effect / one with sync=normal", scores, "database", "unsynced", goal{})
}

// measureRecoveries measures the recovery of runs whose stores are files.
func (b *journalBench) measureRecoveries() {
	folder := filepath.Join(b.disk, "recovered")
	b.measureRecovery("files", folder, journal.Files(folder))
	address := "sqlite:" + filepath.Join(b.disk, "recovered.db")
	store := must(sqlite.Open(address))
	b.measureRecovery("SQLite", address, store)
	check(store.(io.Closer).Close())
}

// measurePostgres lets effects of a run take turns with inserts into a table.
func (b *journalBench) measurePostgres(server *postgrestest.Server) {
	b.progress.say("store, PostgreSQL")
	address := must(server.New("bench"))
	each, rounds := b.sizes()
	inStore, done := b.begun("store", must(postgres.Open(address)), each)
	defer done()
	db := must(sql.Open("pgx", address))
	defer db.Close()
	must(db.ExecContext(b.ctx, "CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, data BYTEA NOT NULL)"))
	text := b.anew()
	bare := b.together("bare", 1, each, func(_, n int) error { return b.insert(db, []byte(text(n))) })
	scores := must(contest.Hold(rounds, inStore, bare))
	what := "store, PostgreSQL: an effect / a bare insert of the same bytes in a transaction"
	b.compare(what, scores, "store", "bare", goal{atMost, postgresAsInsert})

	address = must(server.New("recovery"))
	store := must(postgres.Open(address))
	b.measureRecovery("PostgreSQL", address, store)
	check(store.(io.Closer).Close())
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
