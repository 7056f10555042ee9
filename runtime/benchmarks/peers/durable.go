package peers

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // SQLite for DBOS

	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// sqliteScheme begins the addresses of SQLite files.
const sqliteScheme = "sqlite:"

// DBOS runs a durable workflow of DBOS, each of whose steps returns what it is given.
type DBOS struct {
	ctx      dbos.Context
	db       *sql.DB // nil: the database is PostgreSQL
	workflow dbos.Workflow[string, string]
}

// OpenDBOS opens a database and begins the work on it. The address of a SQLite file sets everything
// itself, because the connections that DBOS opens do not all keep the setting of synchronous.
func OpenDBOS(ctx context.Context, address string, steps int) (*DBOS, error) {
	d := &DBOS{workflow: newWorkflow(steps)}
	config := dbos.Config{AppName: "benchmarks", Logger: slog.New(slog.DiscardHandler)}
	if file, ok := strings.CutPrefix(address, sqliteScheme); ok {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(8) // like the connections that DBOS opens
		db.SetMaxIdleConns(4)
		d.db, config.SQLiteSystemDB = db, db
	} else {
		config.DatabaseURL = address
	}
	var err error
	d.ctx, err = dbos.NewContext(ctx, config)
	if err != nil {
		return nil, errors.Join(err, d.closeDatabase())
	}
	dbos.RegisterWorkflow(d.ctx, d.workflow, dbos.WithWorkflowName("steps"))
	err = dbos.Launch(d.ctx)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}

	return d, nil
}

// newWorkflow returns a workflow of so many steps, one after the other.
func newWorkflow(steps int) dbos.Workflow[string, string] {
	return func(ctx dbos.Context, text string) (string, error) {
		for range steps {
			given := text
			var err error
			text, err = dbos.RunAsStep(ctx, func(context.Context) (string, error) { return given, nil })
			if err != nil {
				return "", err
			}
		}

		return text, nil
	}
}

// Run runs the workflow to its end.
func (d *DBOS) Run(text string) (string, error) {
	handle, err := dbos.RunWorkflow(d.ctx, d.workflow, text)
	if err != nil {
		return "", err
	}

	return handle.GetResult()
}

// Close ends the work and closes the database.
func (d *DBOS) Close() error {
	return errors.Join(dbos.Shutdown(d.ctx, 10*time.Second), d.closeDatabase())
}

func (d *DBOS) closeDatabase() error {
	if d.db == nil {
		return nil
	}

	return d.db.Close()
}

// OpenStore opens a store of agentc at an address. The caller closes it.
func OpenStore(address string) (store journal.Store, closeStore func() error, err error) {
	open := postgres.Open
	if strings.HasPrefix(address, sqliteScheme) {
		open = sqlite.Open
	}
	store, err = open(address)
	if err != nil {
		return nil, nil, err
	}

	return store, store.(io.Closer).Close, nil
}
